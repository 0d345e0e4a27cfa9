import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStoryTill, type StoryTill } from '../../support/story-till.ts';
import { answerIsRead, hasChromium, writeReceipt } from '../../support/ui-page.ts';

let till: StoryTill;
/** Of the newest enrollment, as the agent told the page. */
let enrollmentId = '';

beforeAll(async () => {
  if (!hasChromium) return;
  till = await openStoryTill();
  till.page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      enrollmentId = /"enrollment_id":"([^"]+)"/.exec(String(payload))?.[1] ?? enrollmentId;
    });
  });
  await till.page.reload();
  await till.page.locator('[data-connection=online]').waitFor();
});
afterAll(async () => {
  if (hasChromium) await till.close();
});

describe.skipIf(!hasChromium)('a cashier', () => {
  it('signs in by badge, and the sale carries the name', async () => {
    await till.begin('08:55');
    const sara = { name: 'Sara', employee_ref: 'E-7', badge: 'BADGE-0007' };
    expect((await till.office('people.add_cashier', sara)).status).toBe(200);
    await till.page.locator('.more').click();
    await till.page.getByRole('button', { name: 'Sign in' }).click();
    await till.page.getByRole('dialog', { name: 'Who is selling?' }).waitFor();
    await till.picture('sign-in');
    await till.scan('BADGE-0007');
    await till.page.locator('[data-cashier="E-7"]').getByText('Sara').waitFor();
    await till.customer('LC-1003', 'Sarah Mitchell');
    await till.press('earn_stamp');
    await till.confirm({ value: '2', receipt: '3061' });
    await till.outcome('applied');
    await till.page.locator('.queue').waitFor({ state: 'detached' });
    await till.picture('signed-in');
    const reference = await till.page.locator('.outcome').getAttribute('data-ref');
    const { json } = await till.office('queue.show', { external_ref: reference });
    expect(JSON.stringify(json)).toContain('"employee_ref":"E-7"');
    expect(await till.books('LC-1003')).toMatchObject({ stamps: 9 });
  });

  it('enrolls a customer, whose first code was wrong', async () => {
    await till.begin('09:30');
    await till.holdClock();
    await till.page.locator('#find-box').fill('5551 2345');
    await till.page.keyboard.press('Enter');
    await till.page.getByText('No customer with this phone').waitFor();
    await till.page.locator('.blank').getByRole('button', { name: 'New customer' }).click();
    await till.page.getByRole('dialog').getByLabel('Name').fill('Dana Al-Hajri');
    await till.page.keyboard.press('Enter');
    const code = till.page.locator('#enroll-code');
    await code.waitFor();
    const { otp } = (await till.control(`/otp/${enrollmentId}`, undefined, 'GET')) as { otp: string };
    await code.fill(otp === '111111' ? '222222' : '111111');
    await till.page.keyboard.press('Enter');
    await till.page.getByText('This code is wrong.').waitFor();
    // The wait for another code is the page's own, second by second: how many are left depends on the machine.
    await till.page.getByText(/Send again in 0:[0-5]\d/).waitFor();
    await till.picture('enroll-wrong-code');
    await code.fill(otp);
    await till.page.keyboard.press('Enter');
    await till.page.getByText('Dana Al-Hajri is enrolled').waitFor();
    await till.picture('enroll');
    await answerIsRead(till.page);
    await till.page.getByRole('button', { name: 'Start the sale' }).click();
    await till.page.getByRole('heading', { name: 'Dana Al-Hajri' }).waitFor();
    const { customers } = (await till.control('/', undefined, 'GET')) as { customers: { name: string | null }[] };
    expect(customers.filter(({ name }) => name === 'Dana Al-Hajri')).toHaveLength(1);
  });

  it('sells in Arabic', async () => {
    await till.begin('10:20');
    const munira = { template_id: 'tpl_reward', loyalty_id: 'LC-2001', balances: { points: 80 } };
    await till.control('/customers', { name: 'منيرة العتيبي', phone: '5000 7788', verified: true, cards: [munira] });
    await till.page.getByRole('button', { name: 'العربية' }).click();
    await till.page.locator('html[dir=rtl]').waitFor();
    await till.customer('LC-2001', 'منيرة العتيبي');
    await till.press('earn_amount');
    await till.page.locator('#entry-amount').fill('٢٤٫٧٥٠');
    await writeReceipt(till.page, '3062');
    await till.picture('arabic-amount');
    await till.confirm({});
    await till.outcome('applied');
    expect(await till.books('LC-2001')).toMatchObject({ points: 104 });
    // Her first reward: it can be given at once.
    await till.page.locator('[data-operation=redeem_reward]').waitFor();
    await till.page.locator('.queue').waitFor({ state: 'detached' });
    await till.picture('arabic-sale');
    await till.page.getByRole('button', { name: 'English' }).click();
  });
});

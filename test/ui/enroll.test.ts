import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerIsRead, axeFindings, hasChromium, scan } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';
import { wordsIn } from '../support/words.ts';

const enrollWords = await wordsIn('enroll');

// The built screen on the built agent with its own sandbox.
useUiTill();
/** Of the newest enrollment, as the agent told the page. */
let enrollmentId = '';

beforeAll(async () => {
  if (!hasChromium) return;
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      enrollmentId = /"enrollment_id":"([^"]+)"/.exec(String(payload))?.[1] ?? enrollmentId;
    });
  });
  await page.reload();
  await page.locator('[data-connection=online]').waitFor();
});
beforeEach(async () => {
  if (hasChromium) await till.control('/reset', {});
});
afterEach(async () => {
  if (!hasChromium) return;
  if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
  await page.locator('#find-box').press('Escape');
});

const dialog = () => page.getByRole('dialog', { name: 'Enroll a customer' });
const code = () => page.locator('#enroll-code');
const said = () => page.locator('#enroll-code-note');

async function rightCode(): Promise<string> {
  const { otp } = await till.control<{ otp: string }>(`/otp/${enrollmentId}`, undefined, 'GET');
  return otp;
}

async function wrongCode(): Promise<string> {
  return (await rightCode()) === '111111' ? '222222' : '111111';
}

/** Up to the code, from a phone that nobody has. */
async function askForCode(phone: string, name: string): Promise<void> {
  await page.locator('#find-box').fill(phone);
  await page.keyboard.press('Enter');
  await page.getByText('No customer with this phone').waitFor();
  await page.locator('.blank').getByRole('button', { name: 'New customer' }).click();
  await dialog().waitFor();
  await dialog().getByLabel('Name').fill(name);
  // An Enter right after the dialog has opened is nobody's who has read it.
  if (name === '') await page.waitForTimeout(350);
  await page.keyboard.press('Enter');
  await code().waitFor();
}

async function enter(otp: string): Promise<void> {
  await code().fill(otp);
  await page.keyboard.press('Enter');
}

describe.skipIf(!hasChromium)('enrolling', () => {
  it('goes from an unknown phone over a wrong and the right code to the card, and the sale begins', async () => {
    await askForCode('5551 2345', 'Noura Al-Ajmi');
    await page.getByText('Ask the customer for the code sent to +965 5551 2345').waitFor();
    await enter(await wrongCode());
    await page.getByText('This code is wrong.').waitFor();
    // The field is marked: what is typed now takes its place.
    expect(await code().evaluate((field) => field === document.activeElement)).toBe(true);
    await enter(await rightCode());
    await page.getByRole('img', { name: 'Wallet link as a QR code' }).waitFor();
    await page.getByText('Noura Al-Ajmi is enrolled').waitFor();
    await answerIsRead(page);
    await page.getByRole('button', { name: 'Start the sale' }).click();
    await page.getByRole('heading', { name: 'Noura Al-Ajmi' }).waitFor();
    const row = page.getByRole('region', { name: 'Recent' }).locator('[data-intent=verify]');
    expect(await row.innerText()).toContain('New customer');
    expect(await row.count()).toBe(1);
  });

  it('shows who has the phone already, and goes on with them', async () => {
    await page.getByRole('region', { name: 'Find' }).getByRole('button', { name: 'New customer' }).click();
    await dialog().getByLabel('Phone').fill('+965 9988 7766');
    await page.keyboard.press('Enter');
    const name = page.locator('.enroll-middle');
    await name.getByText('Already a customer').waitFor();
    await answerIsRead(page);
    await page.getByRole('button', { name: 'Use this customer' }).click();
    await page.locator('[data-stage=customer]').waitFor();
    expect(await dialog().count()).toBe(0);
  });

  it('sends another code after its wait, under the same enrollment, and only the newest counts', async () => {
    await askForCode('5551 2346', 'Noura');
    const [first, before] = [await rightCode(), enrollmentId];
    const again = page.getByRole('button', { name: /Send again/ });
    expect(await again.isDisabled()).toBe(true);
    await till.control('/clock', { advance_ms: 61_000 });
    await again.click();
    await page.getByText('A new code was sent.').waitFor();
    expect(enrollmentId).toBe(before);
    const second = await rightCode();
    if (first !== second) {
      await enter(first);
      await page.getByText('This code is wrong.').waitFor();
    }
    await enter(second);
    await page.getByText('Noura is enrolled').waitFor();
  });

  it('says that a code has run out, that there were too many wrong ones, and that an enrollment is gone', async () => {
    await askForCode('5551 2347', '');
    for (let tries = 0; tries < 5; tries += 1) {
      await enter(await wrongCode());
      await said().getByText('This code is wrong.').waitFor();
    }
    await enter(await rightCode());
    await said().getByText('Too many wrong codes.').waitFor();
    await till.control('/clock', { advance_ms: 61_000 });
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('A new code was sent.').waitFor();
    await till.control('/clock', { advance_ms: 301_000 });
    await page.getByText('The code has expired').first().waitFor();
    await enter(await rightCode());
    await said().getByText('This code has expired.').waitFor();
    await till.control('/reset', {});
    await enter('123456');
    await said().getByText('This enrollment has ended.').waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    expect(await dialog().getByLabel('Phone').inputValue()).toBe('5551 2347');
  });

  it('whose answer is lost can be left, and the card that was scanned meanwhile comes', async () => {
    await till.control('/faults', { match: { path: '/customers/enroll' }, effect: { type: 'drop_response' } });
    await page.getByRole('region', { name: 'Find' }).getByRole('button', { name: 'New customer' }).click();
    await dialog().getByLabel('Phone').fill('5551 2351');
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Sending' }).waitFor();
    await scan(page, 'LC-1002');
    await dialog().getByText('A scanned card waits').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached', timeout: 2_000 });
    await page.getByRole('heading', { name: 'Yousef Al-Mutairi' }).waitFor();
    // The answer that comes after all opens nothing.
    await till.control('/faults', undefined, 'DELETE');
    await page.getByRole('region', { name: 'Find' }).getByRole('button', { name: 'New customer' }).click();
    await page.waitForTimeout(1_000);
    expect(await dialog().getByLabel('Phone').inputValue()).toBe('');
    expect(await code().count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('needs a phone, and takes no broken e-mail', async () => {
    await page.getByRole('region', { name: 'Find' }).getByRole('button', { name: 'New customer' }).click();
    await dialog().getByLabel('E-mail').fill('noura@');
    await page.keyboard.press('Enter');
    await dialog().getByText('Enter the phone.').waitFor();
    await dialog().getByText('Not an e-mail address.').waitFor();
    expect(
      await dialog()
        .getByLabel('Phone')
        .evaluate((field) => field === document.activeElement),
    ).toBe(true);
  });

  it('is written by finger alone', async () => {
    await page.getByRole('region', { name: 'Find' }).getByRole('button', { name: 'New customer' }).click();
    await page.getByRole('button', { name: 'Keyboard on the screen' }).click();
    for (const key of '55512348') await dialog().locator(`[data-key="${key}"]`).click();
    await dialog().getByLabel('Name').click();
    for (const key of ['n', 'o', 'x', 'erase', 'u', 'r', 'a']) await dialog().locator(`[data-key="${key}"]`).click();
    expect(await dialog().getByLabel('Name').inputValue()).toBe('Noura');
    await page.getByRole('button', { name: 'Send the code' }).click();
    await code().waitFor();
    for (const key of await rightCode()) await dialog().locator(`[data-key="${key}"]`).click();
    await answerIsRead(page);
    await page.getByRole('button', { name: 'Check the code' }).click();
    await page.getByText('Noura is enrolled').waitFor();
  });

  it.each([
    ['light', 'en', '5551 2349'],
    ['dark', 'ar', '5551 2350'],
  ] as const)('has nothing that axe finds at any step (%s, %s)', async (colorScheme, locale, phone) => {
    const words = enrollWords[locale];
    const expectClean = async (): Promise<void> => expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme });
    if (locale === 'ar') await page.getByRole('button', { name: 'العربية' }).click();
    await page.locator('.find-enroll').click();
    await page.locator('#enroll-phone').fill(phone);
    await page.getByRole('button', { name: words.keyboard }).click();
    await expectClean();
    await page.locator('#enroll-name').click();
    await page.locator('[data-touch=letters]').waitFor();
    await expectClean();
    await page.keyboard.press('Enter');
    await code().waitFor();
    await enter(await wrongCode());
    await page.locator('[data-otp=otp_incorrect]').waitFor();
    await expectClean();
    await enter(await rightCode());
    await page.getByRole('img', { name: words.wallet }).waitFor();
    await expectClean();
    await page.getByRole('button', { name: words.close }).click();
    if (locale === 'ar') await page.getByRole('button', { name: 'English' }).click();
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('was never refused by the page’s policy', () => {
    expect(till.complaints).toEqual([]);
  });
});

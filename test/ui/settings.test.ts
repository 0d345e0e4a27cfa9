import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, hasChromium, scan } from '../support/ui-page.ts';
import { page, till, useUiTill } from '../support/use-ui-till.ts';

const keptKey = 'loyalty_pk_test_kept_secret_7788';
const newKey = 'loyalty_pk_test_other_secret_9911';

useUiTill({
  prepare(dataDir) {
    writeFileSync(
      join(dataDir, 'managed.json'),
      JSON.stringify({ branch_ref: 'avenues-2', limits: { max_queue: 5000 } }),
    );
    // Nobody answers there: what is taken waits.
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ base_url: 'http://127.0.0.1:9/v1' }));
    writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify({ 'api_key.sandbox': keptKey }), { mode: 0o600 });
  },
  args: (dataDir) => ['--config', join(dataDir, 'managed.json')],
  connection: 'offline',
});
/** Everything that the agent has told the page. */
const received: string[] = [];

beforeAll(async () => {
  if (!hasChromium) return;
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => received.push(String(payload))));
  await page.reload();
  await page.locator('[data-connection=offline]').waitFor();
  await open();
});

const open = (): Promise<void> => till.open('settings');
const earn = (reference: string, token?: string) =>
  till.call(
    '/transactions/earn',
    { identifier: { loyalty_id: 'LC-1001' }, external_ref: reference, amount_minor: 500 },
    token,
  );
const section = (name: string) => page.locator(`.office-tab[data-section=${name}]`);
const setting = (name: string) => page.locator(`[data-setting="${name}"]`);
const save = () => page.locator('.save-button').click();
const saved = () => page.locator('[data-saved=true]').waitFor();
const savedFile = () => JSON.parse(readFileSync(join(till.dataDir, 'settings.json'), 'utf8'));
const looksWell = async () => expect(await axeFindings(page)).toEqual([]);

describe.skipIf(!hasChromium)('the settings screen', () => {
  it('asks before it is left with something unsaved: by the way back, and by a card that is scanned', async () => {
    await section('till').click();
    const name = setting('device_name').locator('input');
    const before = await name.inputValue();
    await name.fill('Counter 9');
    await scan(page, 'LC-1001');
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
    await asked.getByText('1 change not saved').waitFor();
    await looksWell();
    await asked.getByRole('button', { name: 'Stay' }).click();
    expect(await name.inputValue()).toBe('Counter 9');
    await page.getByRole('button', { name: 'Back to the sale' }).click();
    await asked.getByRole('button', { name: 'Leave' }).click();
    await page.locator('[data-screen=sale]').waitFor();
    await open();
    await section('till').click();
    expect(await name.inputValue()).toBe(before);
    await section('service').click();
  });

  it('shows what is managed locked, with who says it, and of the key no more than its end', async () => {
    await looksWell();
    await setting('api_key').getByText('API key saved, ending in').waitFor();
    expect(await setting('api_key').innerText()).toContain('7788');
    await section('till').click();
    expect(await setting('branch_ref').getAttribute('data-locked')).toBe('true');
    await setting('branch_ref').getByText('Set by store IT’s settings file').waitFor();
    expect(await setting('branch_ref').locator('input').count()).toBe(0);
    await section('pos').click();
    await setting('bridge.port').getByText('Set by the start command').waitFor();
    expect(received.join('')).toContain('…7788');
    expect(received.join('')).not.toContain(keptKey);
  });

  it('saves all of a change or nothing, and tells a refused field at the field', async () => {
    await section('till').click();
    await page.getByLabel('Name of the till').fill('Front till');
    await section('sales').click();
    await page.getByLabel('Currency').fill('QQQ');
    await page.getByLabel('The business day begins').fill('25:00');
    await save();
    await page.getByText('Nothing was saved. Correct 2 fields.').waitFor();
    await setting('currency').getByText('Enter the three letters of a currency').waitFor();
    await setting('day_starts_at').getByText('Enter a time such as 05:00.').waitFor();
    await looksWell();
    expect(savedFile()).toEqual({ base_url: 'http://127.0.0.1:9/v1' });

    await page.getByLabel('Currency').fill('USD');
    await page.getByLabel('Largest amount').fill('250.5');
    await page.getByLabel('The business day begins').fill('٠٦:٣٠');
    await save();
    await saved();
    expect(savedFile()).toMatchObject({
      device_name: 'Front till',
      currency: 'USD',
      day_starts_at: '06:30',
      limits: { max_amount_minor: 25_050 },
    });
    await page.getByText('Saved for the next start').waitFor();
    await page.getByLabel('Currency').fill('');
    await save();
    await saved();
    expect(savedFile()).not.toHaveProperty('currency');
    expect(await page.getByLabel('Currency').inputValue()).toBe('KWD');
  });

  it('tells key, clock, address and time apart, with what to do', async () => {
    await section('service').click();
    await page.getByRole('button', { name: 'Test connection' }).click();
    const address = page.locator('[data-check=address][data-verdict=unreachable]');
    await address.getByText('Check the address and this machine’s network cable or Wi-Fi.').waitFor();
    await page.locator('[data-check=key][data-verdict=not_known]').waitFor();
    await looksWell();
    await page.getByLabel('Address').fill('');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.locator('[data-check=clock][data-verdict=built_in]').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('knows a key of the other mode before anything is asked', async () => {
    await setting('api_key').getByRole('button', { name: 'Replace' }).click();
    await page.getByLabel('New API key').fill('loyalty_pk_live_abcdefgh1234');
    await save();
    await setting('api_key').getByText('Wrong mode.').waitFor();
    await page.getByText('Production', { exact: true }).click();
    await page.getByLabel('Address').fill('');
    await page.getByLabel('New API key').fill('');
    await save();
    await setting('base_url').getByText('Production needs the address of the loyalty service.').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('warns of what waits before another key is saved', async () => {
    for (const reference of ['W-1', 'W-2', 'W-3']) expect((await earn(reference)).status).toBe(202);
    await setting('api_key').getByRole('button', { name: 'Replace' }).click();
    await page.getByLabel('New API key').fill(newKey);
    await save();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 sales are waiting').waitFor();
    await looksWell();
    await page.keyboard.press('Escape');
    expect(readFileSync(join(till.dataDir, 'secrets.json'), 'utf8')).toContain(keptKey);
    await save();
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await saved();
    await setting('api_key').getByText('9911').waitFor();
    expect(readFileSync(join(till.dataDir, 'secrets.json'), 'utf8')).toContain(newKey);
    expect(received.join('')).not.toContain(newKey);
  });

  it('warns where nobody can read how much waits', async () => {
    const lost = new Database(join(till.dataDir, 'production.sqlite'));
    lost.exec('CREATE TABLE somebody_elses (text)');
    lost.close();
    await page.getByText('Production', { exact: true }).click();
    await page.getByLabel('Address').fill('https://loyalty.example/v1');
    await setting('api_key').getByRole('button', { name: 'Replace' }).click();
    await page.getByLabel('New API key').fill('loyalty_pk_live_other_secret_9911');
    await save();
    const dialog = page.getByRole('dialog', { name: 'Sales may be waiting' });
    await dialog.getByText('3 in the sandbox').waitFor();
    await dialog.getByText('Unknown in production').waitFor();
    await looksWell();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    rmSync(join(till.dataDir, 'production.sqlite'));
  });

  it('makes a token that is shown once and counts at once, until it is revoked', async () => {
    await section('pos').click();
    await page.getByText('No other program yet').waitFor();
    await page.getByRole('button', { name: 'Create a token' }).click();
    const dialog = page.getByRole('dialog');
    await page.keyboard.type('kiosk');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a prefix.').waitFor();
    await looksWell();
    await dialog.getByLabel('Prefix').fill('K-');
    await page.keyboard.press('Enter');
    const token = await page.locator('[data-made-token]').innerText();
    await looksWell();
    expect((await earn('1', token)).status).toBe(202);
    await dialog.getByRole('button', { name: 'Copied, close' }).click();
    await page.locator('[data-token=kiosk]').getByText('Prefix K-').waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke kiosk' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.locator('[data-token=kiosk]').waitFor({ state: 'detached' });
    expect((await earn('2', token)).status).toBe(401);
  });

  it('adds a cashier with a scanned badge, and tells a taken one', async () => {
    await section('people').click();
    await page.getByRole('button', { name: 'Add a cashier' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Sami');
    await dialog.getByLabel('Employee’s code').fill('emp-7');
    await dialog.getByLabel('Badge').focus();
    await scan(page, 'BADGE-4471');
    await dialog.getByText('10 characters, ending 4471').waitFor();
    await looksWell();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.locator('[data-person=Sami]').getByText('emp-7').waitFor();
    await page.getByRole('button', { name: 'Add a cashier' }).click();
    await dialog.getByLabel('Name').fill('Layla');
    await dialog.getByLabel('Employee’s code').fill('emp-8');
    await dialog.getByLabel('Badge').fill('BADGE-4471');
    await page.keyboard.press('Enter');
    await dialog.getByText('Another cashier has this badge.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Sami' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.locator('[data-person=Sami]').waitFor({ state: 'detached' });
  });

  it('asks for a PIN from the first manager on, by key and by finger, and locks after five wrong ones', async () => {
    await page.getByRole('button', { name: 'Add a manager' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Mona');
    await dialog.getByLabel('PIN', { exact: true }).fill('1111');
    await dialog.getByLabel('PIN again').fill('1111');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter 4 to 12 digits, not all the same.').waitFor();
    await dialog.getByLabel('PIN', { exact: true }).fill('4711');
    await dialog.getByLabel('PIN again').fill('4711');
    await page.keyboard.press('Enter');
    await page.locator('[data-person=Mona]').waitFor();

    await page.getByRole('button', { name: 'Back to the sale' }).click();
    await open();
    await page.getByRole('heading', { name: 'A manager’s PIN' }).waitFor();
    await looksWell();
    expect(await page.locator('[data-setting]').count()).toBe(0);
    await page.keyboard.type('0000');
    await page.keyboard.press('Enter');
    await page.getByText('Wrong PIN. 4 more tries.').waitFor();
    for (const digit of '4711') await page.locator(`.gate [data-key="${digit}"]`).click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await setting('mode').waitFor();
    await section('people').click();
    await page.locator('[data-person=Mona]').waitFor();

    await page.getByRole('button', { name: 'Back to the sale' }).click();
    await open();
    await page.locator('#settings-pin:focus').waitFor();
    for (let tries = 4; tries >= 1; tries -= 1) {
      await page.keyboard.type('0000');
      await page.keyboard.press('Enter');
      await page.getByText(`${tries} more ${tries === 1 ? 'try' : 'tries'}`).waitFor();
    }
    await page.keyboard.type('0000');
    await page.keyboard.press('Enter');
    await page.getByText('Too many wrong PINs.').waitFor();
    await looksWell();
  });

  it('speaks Arabic to the last word, and nobody complains', async () => {
    await page.locator('.language').click();
    await page.getByText('الرقم السري للمدير').first().waitFor();
    await looksWell();
    expect(till.complaints).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { seededRandom } from '../../app/machine/random.ts';
import { isEarnOperation } from '../../renderer/operation/operations.ts';
import { foldTries } from '../../renderer/recent/recent-rows.ts';
import { balancesMainFirst } from '../../shared/till/balances.ts';
import { PageDriver, readScreen, type Shown } from '../support/page-driver.ts';
import { PageWorld, worldCustomers } from '../support/page-world.ts';
import { hasChromium, scan } from '../support/ui-page.ts';
import { sharedBrowser } from '../support/ui-shared-browser.ts';

// Key presses, scans, presses and late answers by seed against the real page: what it shows is what the agent knows.
// PAGE_SEED repeats the presses of one run, as far as the machine keeps time; LONG_TESTS=1 makes many long ones, of seeds
// that nobody has tried. The short version has the same two each time: it is there to find what a change has broken.
const isLong = process.env.LONG_TESTS === '1';
const given = process.env.PAGE_SEED;
const firstSeed = Number(given ?? (isLong ? Date.now() % 1_000_000 : 1));
const seeds = Array.from({ length: given === undefined ? (isLong ? 60 : 2) : 1 }, (_, index) => firstSeed + index);
const acts = isLong ? 150 : 60;

const shared = sharedBrowser();

/** The main balance of a card, as the screen writes it. */
function balanceWritten(world: PageWorld, cardId: string): string {
  const card = Object.values(worldCustomers)
    .flatMap(({ cards }) => cards)
    .find(({ card_id }) => card_id === cardId);
  const balances = world.balancesOf(cardId);
  if (card === undefined || balances === undefined) return 'a card that nobody has';
  const [main] = balancesMainFirst({ ...card, balances });
  if (main === undefined) return '';
  if (main.dimension === 'cashback')
    return `KWD ${(main.value / 1000).toLocaleString('en-GB', { minimumFractionDigits: 3 })}`;
  return main.value.toLocaleString('en-GB', { maximumFractionDigits: 3 });
}

/** What holds at every moment. */
function checkHonest(shown: Shown, world: PageWorld): void {
  const told = [...shown.rows, ...(shown.outcome === null ? [] : [shown.outcome])];
  for (const line of told) {
    const [ref = '', state = ''] = line.split(' ');
    expect([...(world.history.get(ref) ?? [])], `${line} was never so`).toContain(state);
  }
  // An earlier sale of another customer covers whether the one in front is from memory.
  const isAskable = shown.connection === 'online' && shown.source !== 'kept';
  const spends = shown.operations.filter(({ name, isEnabled }) => isEnabled && !isEarnOperation(name));
  expect(isAskable ? [] : spends, 'spends that nobody can answer for').toEqual([]);
}

/** What holds once everything is answered and the line is there. */
function differences(shown: Shown, world: PageWorld): readonly string[] {
  const rows = foldTries(world.agent.operations.slice(0, 20)).map(
    ({ operation: { external_ref, state } }) => `${external_ref} ${state}`,
  );
  const found: string[] = [];
  if (shown.rows.join() !== rows.join()) found.push(`Recent has ${shown.rows.join()}, the agent ${rows.join()}`);
  const all = world.agent.operations.map(({ external_ref, state }) => `${external_ref} ${state}`);
  if (shown.outcome !== null && !all.includes(shown.outcome)) found.push(`The outcome is ${shown.outcome}`);
  if (shown.connection !== world.agent.state.connection.state) found.push(`The connection is ${shown.connection}`);
  if (shown.name === null) return found;
  const customer = Object.values(worldCustomers).find(({ name }) => name === shown.name);
  if (shown.source !== 'service') found.push(`${shown.name} is shown from memory`);
  for (const { id, value } of shown.cards) {
    const wanted = balanceWritten(world, id);
    if (value !== wanted) found.push(`${shown.name}'s ${id} shows ${value}, and holds ${wanted}`);
  }
  // What is entered and what became of it stand in the place of the cards.
  if (shown.entry !== null || shown.outcome !== null) return found;
  const chosen = customer?.cards.find(({ card_id }) =>
    shown.cards.some(({ id, isChosen }) => isChosen && id === card_id),
  );
  const offered = shown.operations.map(({ name }) => name).join();
  // A scanned card may be any of several. Before one is chosen nothing is offered.
  const isToChoose = chosen === undefined && (customer?.cards.length ?? 0) > 1;
  if (offered !== (isToChoose ? '' : chosen?.allowed_operations.join()))
    found.push(`${shown.name} is offered ${offered}`);
  return found;
}

it.skipIf(!hasChromium).each(seeds)(
  'what the page shows is what the agent knows, whatever is pressed and however late it is answered (PAGE_SEED=%i)',
  async (seed) => {
    const random = seededRandom(seed);
    const agent = await shared.startAgent();
    const world = new PageWorld(agent, random);
    const { page, complaints } = await shared.open(agent);
    const driver = new PageDriver(page, world, random);
    const settle = async (): Promise<void> => {
      world.setOnline(true);
      await expect
        .poll(
          async () => {
            while (world.late.length > 0) world.release();
            world.advance();
            const isOver = agent.operations.every(
              ({ state }) => !['queued', 'sending', 'unknown', 'accepted'].includes(state),
            );
            return isOver && world.late.length === 0 ? differences(await readScreen(page), world) : ['not over yet'];
          },
          { interval: 40 },
        )
        .toEqual([]);
    };
    try {
      for (let count = 1; count <= acts; count += 1) {
        await driver.act();
        checkHonest(await readScreen(page), world);
        if (count % 30 === 0) {
          driver.log.push('everything is answered');
          await settle();
        }
      }
      await page.reload();
      await page.locator('[data-connection=online]').waitFor();
      for (const [code, { name }] of Object.entries(worldCustomers)) {
        if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
        const heading = page.getByRole('heading', { name, exact: true });
        // Keys that a busy machine has held up are no scan: digits are then looked up as a phone.
        for (let attempt = 1; attempt <= 3 && !(await heading.isVisible()); attempt += 1) {
          await scan(page, code);
          await expect.poll(() => world.late.length).toBeGreaterThan(0);
          await settle();
          await heading.waitFor({ timeout: 5_000 }).catch(() => undefined);
        }
        await heading.waitFor();
        await settle();
      }
      expect(complaints).toEqual([]);
    } catch (error) {
      throw new Error(`PAGE_SEED=${seed} after: ${driver.log.map((line) => line.trim()).join(', ')}`, { cause: error });
    }
  },
  isLong ? 300_000 : 120_000,
);

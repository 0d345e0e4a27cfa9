// `npm run update-feed`: makes the keys that updates are signed with, and signs the feed of a version.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { toInstant } from '../../shared/lib/clock.ts';
import { type Feed, feedName, feedSchema, packageKinds, productId, signatureName } from '../../app/updates/feed.ts';
import { mostAheadMs } from '../../app/updates/judge.ts';
import { errorText } from '../../shared/lib/error-code.ts';
import { shippedUpdateKeys } from './shipped-facts.ts';

const usage = `Usage: npm run update-feed -- generate-key KEY_FILE
       npm run update-feed -- sign --key KEY_FILE --version VERSION [flags] PACKAGE...

generate-key makes a new Ed25519 key and writes the private key to KEY_FILE. Keep that file off every till. The public key
is printed: put it into packaging/update-keys.json before you pack.

sign writes the feed of the packages (one system) beside them, and its signature. Then copy the folder to the web server.

  --key FILE         the private key
  --version VERSION  of the packages, such as 0.2.0
  --platform NAME    linux-x64, linux-arm64 or win32-x64; default: linux-x64
  --stage PERCENT    the share of the tills that get it, 0 to 100; default: 100
  --hold             offer it, and have no till install it
  --help             this text

Exit codes: 0 done, 1 it could not be done, 2 wrong use.
`;

const platforms = ['linux-x64', 'linux-arm64', 'win32-x64'];

try {
  const { values, positionals } = parseArgs({
    options: {
      key: { type: 'string' },
      version: { type: 'string' },
      platform: { type: 'string', default: 'linux-x64' },
      stage: { type: 'string', default: '100' },
      hold: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const [command, ...words] = positionals;
  if (values.help) process.stdout.write(usage);
  else if (command === 'generate-key') generateKey(words);
  else if (command === 'sign') signFeed(words, values);
  else end(2, `${command ?? 'Nothing'}: is not a command here; generate-key and sign are. --help tells how`);
} catch (error) {
  end(error instanceof TypeError ? 2 : 1, errorText(error));
}

function generateKey([file, ...others]: readonly string[]): void {
  if (file === undefined || others.length > 0) end(2, 'generate-key: name one file for the private key');
  if (existsSync(file)) end(1, `${file} exists. Name a new file: with another key no till would take the next update`);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  process.stdout.write(`${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}\n`);
}

interface SignFlags {
  readonly key?: string | undefined;
  readonly version?: string | undefined;
  readonly platform: string;
  readonly stage: string;
  readonly hold: boolean;
}

function signFeed(packages: readonly string[], { key, version, platform, stage, hold }: SignFlags): void {
  if (key === undefined) end(2, '--key: is needed');
  if (version === undefined) end(2, '--version: is needed');
  if (!platforms.includes(platform)) end(2, `--platform: ${platform} is none of ${platforms.join(', ')}`);
  if (packages.length === 0) end(2, 'Name the package files');
  const [folder, ...otherFolders] = new Set(packages.map((file) => dirname(file)));
  if (folder === undefined || otherFolders.length > 0) end(2, 'All packages stand in one folder: the feed goes beside them');
  const path = join(folder, feedName(platform));
  const feed: Feed = {
    product: productId,
    platform,
    version,
    releaseDate: new Date(laterThanBefore(path)).toISOString(),
    stagingPercentage: Number(stage),
    hold,
    files: packages.map(fileOf),
  };
  const checked = feedSchema.safeParse(feed);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    end(2, `${issue?.path.join('.') ?? 'feed'}: ${issue?.message ?? 'is wrong'}`);
  }
  for (const file of packages) {
    if (!basename(file).includes(version)) end(2, `${file}: has another version in its name than ${version}`);
  }
  const bytes = Buffer.from(`${JSON.stringify(feed, null, 2)}\n`);
  const privateKey = createPrivateKey(readFileSync(key));
  writeFileSync(path, bytes);
  writeFileSync(signatureName(path), `${sign(null, bytes, privateKey).toString('base64')}\n`);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  process.stdout.write(`${path}: version ${version} for ${stage} % of the tills${hold ? ', on hold' : ''}\n`);
  const note = shippedUpdateKeys().includes(publicKey) ? '' : ', which packaging/update-keys.json does not have now';
  process.stdout.write(`${signatureName(path)}: for tills whose package has the key ${publicKey}${note}\n`);
}

/** Now, or a moment after the feed that stands there: tills refuse one that was signed before it. */
function laterThanBefore(path: string): number {
  const nowMs = Date.now();
  const before = existsSync(path) ? feedSchema.safeParse(asJson(readFileSync(path, 'utf8'))) : null;
  const beforeMs = before?.success === true ? Date.parse(before.data.releaseDate) : 0;
  if (beforeMs <= nowMs) return nowMs;
  const ahead = `${path}: was signed at ${toInstant(beforeMs)}, and this machine's clock says ${toInstant(nowMs)}.`;
  if (beforeMs > nowMs + mostAheadMs) {
    const advice = 'If this one is wrong, set it. If that one was, no till with the right time has believed it: delete the file, and sign again';
    end(1, `${ahead} ${advice}`);
  }
  process.stdout.write(`${ahead} The new feed is dated a moment after it: tills that have seen it take no earlier one\n`);
  return beforeMs + 1;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fileOf(file: string): Feed['files'][number] {
  const name = basename(file);
  if (!Object.values(packageKinds).some((suffix) => name.endsWith(suffix))) {
    end(2, `${file}: is no package that updates itself; those end in ${Object.values(packageKinds).join(', ')}`);
  }
  return { url: name, sha512: sumOf(file), size: statSync(file).size };
}

function sumOf(file: string): string {
  const sum = createHash('sha512');
  const buffer = Buffer.alloc(1024 * 1024);
  const source = openSync(file, 'r');
  for (let count = readSync(source, buffer); count > 0; count = readSync(source, buffer)) {
    sum.update(buffer.subarray(0, count));
  }
  closeSync(source);
  return sum.digest('base64');
}

function end(exitCode: number, line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(exitCode);
}

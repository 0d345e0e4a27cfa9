// Loaded with the first package, so that a till without an update starts without electron-updater.
import {
  type BaseUpdater,
  CancellationToken,
  DebUpdater,
  NsisUpdater,
  Provider,
  type ResolvedUpdateFileInfo,
  RpmUpdater,
  type UpdateInfo,
} from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import type { PackageKind, Release } from '../app/updates/feed.ts';

/** After this time without data the download is stopped. The next check for updates starts it again. */
const stalledAfterMs = 60_000;

const updaters: Readonly<Record<PackageKind, new () => BaseUpdater>> = {
  deb: DebUpdater,
  rpm: RpmUpdater,
  nsis: NsisUpdater,
};

export interface FetchedPackage {
  readonly file: string;
  /** Installs it by electron-updater, and ends the program. */
  readonly installAndQuit: () => void;
}

/**
 * Downloads the package of a release whose feed was verified. The file is compared with the feed's checksum. A package
 * from an earlier run is not downloaded again.
 *
 * @throws when it does not arrive complete
 */
export async function fetchPackage(
  { version, package: { name, sha512, byteCount } }: Release,
  { feed, kind }: { readonly feed: URL; readonly kind: PackageKind },
): Promise<FetchedPackage> {
  const info: UpdateInfo = {
    version,
    files: [{ url: name, sha512, size: byteCount }],
    path: name,
    sha512,
    releaseDate: '',
  };
  // The feed was verified and read before, so it is not downloaded again.
  class ReadFeed extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtimeOptions: ProviderRuntimeOptions) {
      super(runtimeOptions);
    }
    override async getLatestVersion(): Promise<UpdateInfo> {
      return info;
    }
    override resolveFiles(): ResolvedUpdateFileInfo[] {
      return info.files.map((file) => ({ url: new URL(file.url, feed), info: file }));
    }
  }
  const updater = new updaters[kind]();
  // A failure is thrown, and the caller reports it.
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  // The version was chosen and checked before.
  updater.allowDowngrade = true;
  updater.disableDifferentialDownload = true;
  updater.setFeedURL({ provider: 'custom', updateProvider: ReadFeed });
  const found = await updater.checkForUpdates();
  if (found === null || found.updateInfo.version !== version)
    throw new Error(`Version ${version} cannot be downloaded`);
  const token = new CancellationToken();
  let timer = setTimeout(() => token.cancel(), stalledAfterMs);
  updater.on('download-progress', () => {
    clearTimeout(timer);
    timer = setTimeout(() => token.cancel(), stalledAfterMs);
  });
  try {
    const [file] = await updater.downloadUpdate(token);
    if (file === undefined) throw new Error(`Version ${version} was not downloaded`);
    return { file, installAndQuit: () => updater.quitAndInstall(true, true) };
  } catch (error) {
    if (token.cancelled) throw new Error(`the download of ${name} stood still for ${stalledAfterMs / 1000} seconds`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

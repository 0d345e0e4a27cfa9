import { manifest } from './installed.ts';

/** This version: of the package that was installed, or as package.json of the checkout has it. */
export const version = (manifest.installed ? manifest.version : null) ?? '0.1.0';

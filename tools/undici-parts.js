// What the bundles take in place of all of undici: its index also loads fetch, caches, mocks and web sockets, which
// cost a start 10 ms and some megabytes. An import of anything else fails the build: add it here.
export { default as errors } from '../node_modules/undici/lib/core/errors.js';
export { default as Agent } from '../node_modules/undici/lib/dispatcher/agent.js';
export { default as Dispatcher } from '../node_modules/undici/lib/dispatcher/dispatcher.js';

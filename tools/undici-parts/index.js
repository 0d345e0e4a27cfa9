// What the bundles take in place of all of undici: its index also loads fetch, caches, mocks and web sockets, which
// cost a start 10 ms and some megabytes. Each part is a file of its own, so that the sandbox alone does not load the
// HTTP client. An import of anything else fails the build: add it here.
// A dispatcher has `dispatch` only: `request`, `stream` and the like are put on it by undici's index.
export { Agent } from './agent.js';
export { Dispatcher } from './dispatcher.js';
export { errors } from './errors.js';

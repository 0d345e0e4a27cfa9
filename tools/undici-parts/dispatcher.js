export { default as Dispatcher } from '../../node_modules/undici/lib/dispatcher/dispatcher.js';

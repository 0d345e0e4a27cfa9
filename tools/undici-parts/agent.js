export { default as Agent } from '../../node_modules/undici/lib/dispatcher/agent.js';

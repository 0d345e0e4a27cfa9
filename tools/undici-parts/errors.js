export { default as errors } from '../../node_modules/undici/lib/core/errors.js';

import { config } from 'zod';

// The page's policy forbids code from text; zod would try it, and the browser would log a refusal at each start.
// Imported before every schema.
config({ jitless: true });

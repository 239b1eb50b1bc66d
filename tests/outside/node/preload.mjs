// Loaded before every program: see hooks.mjs.
import { register } from 'node:module';

register('./hooks.mjs', import.meta.url);

import { profile } from './profiles/index.ts'

/** Every rule, in the order of their phases. */
export const rules = profile.rules

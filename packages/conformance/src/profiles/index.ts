import { type Profile, withRules } from '../engine/profile.ts'
import { rules } from '../rules/index.ts'
import { pix } from './pix/index.ts'

/** The general rules, and those of the APIs that have a profile; a rule whose operations are missing is not assessed. */
export const profile: Profile = withRules(pix, rules)

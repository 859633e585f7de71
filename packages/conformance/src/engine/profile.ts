import type { Context } from './context.ts'
import type { ProfileData } from './profile-data.ts'
import { PHASES, type Rule } from './rule.ts'

/** The rules of a run, and the code that an API needs besides its contract. */
export interface Profile extends ProfileData {
  readonly rules: readonly Rule[]
  /** Signs in as a customer of the partner. */
  readonly becomeCustomer: (
    context: Pick<Context, 'contract' | 'identities' | 'builder' | 'send'>,
  ) => Promise<void>
  /** Whether a delivery reaches the receiver. */
  readonly hasDelivery: (context: Context) => Promise<boolean>
}

/** A profile with additional rules, sorted by phase. */
export function withRules(profile: Profile, rules: readonly Rule[]): Profile {
  const rank = ({ phase }: Rule) => PHASES.indexOf(phase)
  return { ...profile, rules: [...rules, ...profile.rules].sort((a, b) => rank(a) - rank(b)) }
}

import type { Behaviour } from '@partner-payments/spec/behaviour'
import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }

/**
 * What the service does beyond the shape of one message. A changed copy of the contract declares
 * the same. In a file of its own, since the declarations of a tarball cannot contain the type of a
 * JSON file.
 */
export const behaviour = declared as typeof declared & Required<Behaviour>

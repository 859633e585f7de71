/** Ids of rules that were merged, and the rule that took their place: `--only`, links and baselines may still name them. */
export const ALIASES: Readonly<Record<string, string>> = {
  'no-auth-refused': 'credentials-required',
  'garbage-token-refused': 'credentials-required',
  'wrong-scheme-refused': 'credentials-required',
  'refresh-token-refused': 'credentials-required',
  'malformed-json-refused': 'body-format',
  'empty-body-refused': 'body-format',
  'duplicate-keys-last': 'body-format',
  'body-limit': 'body-format',
  'unsupported-media-type': 'body-format',
  'parameter-boundary-accepted': 'boundary-accepted',
  'parameter-break-refused': 'break-refused',
  'break-refused-with-pointer': 'break-refused',
  'amount-fixed-by-code': 'refusals',
  'amount-zero-refused': 'refusals',
  'beneficiary-compared': 'refusals',
  'bound-to-caller-and-key': 'refusals',
  'charge-closed-not-payable': 'refusals',
  'charge-rules-kept': 'refusals',
  'codes-checked': 'refusals',
  'codes-read': 'refusals',
  'funds-cover-transfer': 'refusals',
  'initiation-expires': 'refusals-later',
  'looked-up-before-transfer': 'refusals',
  'overdue-not-payable': 'refusals-later',
  'private-urls-refused': 'refusals',
  'scheduling-refused': 'refusals',
  'transfer-envelope': 'invariants',
  'settlement-told': 'invariants',
  'final-amount-adds-up': 'invariants',
  'end-to-end-id-form': 'invariants',
  'code-decodes-back': 'invariants',
  'image-is-png': 'invariants',
  'image-decodes-back': 'invariants',
  'keys-checked': 'invariants',
  'end-to-end-id-unique': 'invariants',
}

/** The present id of a rule. */
export function currentId(id: string): string {
  return ALIASES[id] ?? id
}

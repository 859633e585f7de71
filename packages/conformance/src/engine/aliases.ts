/** Renamed rules by their former ids. */
const RENAMED: Readonly<Record<string, string>> = {
  'answers-come': 'response-received',
  'slash-twins-apart': 'trailing-slash',
  'odd-ids-refused': 'invalid-ids-refused',
  'undeclared-members': 'undeclared-fields',
  'json-is-json': 'valid-json',
}

/** The former ids of what was merged into a rule. */
const MERGED: Readonly<Record<string, string>> = {
  'credentials-required': 'no-auth-refused garbage-token-refused wrong-scheme-refused refresh-token-refused',
  'body-format':
    'malformed-json-refused empty-body-refused duplicate-keys-last body-limit unsupported-media-type',
  'boundary-accepted': 'parameter-boundary-accepted',
  'break-refused': 'parameter-break-refused break-refused-with-pointer',
  refusals: `
    amount-fixed-by-code amount-zero-refused beneficiary-compared bound-to-caller-and-key
    charge-closed-not-payable charge-rules-kept codes-checked codes-read funds-cover-transfer
    looked-up-before-transfer private-urls-refused scheduling-refused
  `,
  'refusals-later': 'initiation-expires overdue-not-payable',
  invariants: `
    transfer-envelope settlement-told final-amount-adds-up end-to-end-id-form code-decodes-back
    image-is-png image-decodes-back keys-checked end-to-end-id-unique
  `,
  'deliveries-secrets': 'delivery-both-secrets-after-rotation old-secret-ends',
  'deliveries-subscription':
    'delivery-follows-update delivery-silent-after-deletion delivery-silent-while-inactive',
  'deliveries-sent': `
    delivery-ids-apart delivery-of-cancellations delivery-of-payments delivery-of-transfers
    delivery-schema delivery-sent delivery-shows-record delivery-to-owner-alone
    delivery-type-filtered rejection-told
  `,
  'deliveries-retried': 'delivery-once delivery-retried',
  'deliveries-signed': 'delivery-signed delivery-timestamp-bound',
  'one-time-values': 'single-use paid-once',
  copies: 'check-shows-charge transfer-as-looked-up',
  'used-records': 'paid-is-final',
  'money-moves': 'paid-by-caller balances-move-once',
  'charge-amounts': 'overdue-amounts charge-lasts',
  'record-changes': `
    cancel-idempotent cancel-kept delete-again-refused deleted-not-listed gone-after-deletion
    other-records-untouched refused-change-leaves-no-trace secret-changes-on-rotation update-kept
  `,
  'record-shown': `
    defaults-kept listed-after-creation visible-after-creation list-equals-read timestamps-ordered
    echo-equals-request
  `,
  'values-unique': 'ids-apart unique-refused',
  'list-pages': `
    cursor-ends limit-respected newest-first pages-disjoint-and-complete filter-complete
    filter-sound
  `,
}

/** Current ids of rules by their former ids. `--only`, links and baselines may still use those. */
export const ALIASES: Readonly<Record<string, string>> = {
  ...RENAMED,
  ...Object.fromEntries(
    Object.entries(MERGED).flatMap(([id, former]) =>
      former
        .trim()
        .split(/\s+/)
        .map((it) => [it, id]),
    ),
  ),
}

export function currentId(id: string): string {
  return ALIASES[id] ?? id
}

/** The first id of a rule. Ids of findings are hashes of it, so that a new name changes none of them. */
export function originalId(id: string): string {
  return Object.keys(RENAMED).find((it) => RENAMED[it] === id) ?? id
}

/** The id of a finding, under the current id of its rule. */
export function currentFindingId(id: string): string {
  return id.replace(/^[^:]+/, currentId)
}

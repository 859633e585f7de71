/** Renamed rules by their former ids. */
const RENAMED: Readonly<Record<string, string>> = {
  'answers-come': 'response-received',
  'slash-twins-apart': 'trailing-slash',
  'odd-ids-refused': 'invalid-ids-refused',
  'undeclared-members': 'undeclared-fields',
  'json-is-json': 'valid-json',
}

/** Merged rules by their former ids. */
const MERGED: Readonly<Record<string, string>> = {
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
  'delivery-both-secrets-after-rotation': 'deliveries-secrets',
  'old-secret-ends': 'deliveries-secrets',
  'delivery-follows-update': 'deliveries-subscription',
  'delivery-silent-after-deletion': 'deliveries-subscription',
  'delivery-silent-while-inactive': 'deliveries-subscription',
  'delivery-ids-apart': 'deliveries-sent',
  'delivery-of-cancellations': 'deliveries-sent',
  'delivery-of-payments': 'deliveries-sent',
  'delivery-of-transfers': 'deliveries-sent',
  'delivery-schema': 'deliveries-sent',
  'delivery-sent': 'deliveries-sent',
  'delivery-shows-record': 'deliveries-sent',
  'delivery-to-owner-alone': 'deliveries-sent',
  'delivery-type-filtered': 'deliveries-sent',
  'rejection-told': 'deliveries-sent',
  'delivery-once': 'deliveries-retried',
  'delivery-retried': 'deliveries-retried',
  'delivery-signed': 'deliveries-signed',
  'delivery-timestamp-bound': 'deliveries-signed',
  'single-use': 'one-time-values',
  'paid-once': 'one-time-values',
  'check-shows-charge': 'copies',
  'transfer-as-looked-up': 'copies',
  'paid-is-final': 'used-records',
  'paid-by-caller': 'money-moves',
  'balances-move-once': 'money-moves',
  'overdue-amounts': 'charge-amounts',
  'charge-lasts': 'charge-amounts',
  'cancel-idempotent': 'record-changes',
  'cancel-kept': 'record-changes',
  'defaults-kept': 'record-shown',
  'delete-again-refused': 'record-changes',
  'deleted-not-listed': 'record-changes',
  'gone-after-deletion': 'record-changes',
  'ids-apart': 'values-unique',
  'listed-after-creation': 'record-shown',
  'other-records-untouched': 'record-changes',
  'refused-change-leaves-no-trace': 'record-changes',
  'secret-changes-on-rotation': 'record-changes',
  'unique-refused': 'values-unique',
  'update-kept': 'record-changes',
  'visible-after-creation': 'record-shown',
  'list-equals-read': 'record-shown',
  'timestamps-ordered': 'record-shown',
  'echo-equals-request': 'record-shown',
  'cursor-ends': 'list-pages',
  'limit-respected': 'list-pages',
  'newest-first': 'list-pages',
  'pages-disjoint-and-complete': 'list-pages',
  'filter-complete': 'list-pages',
  'filter-sound': 'list-pages',
}

/** Current ids of rules by their former ids. `--only`, links and baselines may still use those. */
export const ALIASES: Readonly<Record<string, string>> = { ...RENAMED, ...MERGED }

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

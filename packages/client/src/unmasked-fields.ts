/**
 * The fields that logs show. All others are masked, including fields that the service adds later.
 * The list is written by hand, since a schema does not say whether a value is personal: a date of
 * birth is also a date.
 *
 * Amounts are masked: they are under bank secrecy (Lei Complementar 105/2001, article 1), and
 * together with a time and a request_id they can identify a person.
 */
export const UNMASKED_FIELDS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'account_type',
  'allow_value_change',
  'can_change_document',
  'code',
  'created_at',
  'customer_type',
  'date',
  'deleted_at',
  'dict_key_type',
  'due_date',
  'expiration',
  'expiration_days',
  'initiation_type',
  'kind',
  'limit',
  'modality',
  'owner_type',
  'payment_date',
  'qrcode_type',
  'request_id',
  'revision',
  'settled_at',
  'status',
  'type',
  'updated_at',
])

/**
 * The properties whose values may be read in a log. Whatever is not here is masked, and so is what the service adds one
 * day. Written by hand, since the form of a property does not say whether it is personal: a date of birth is a date.
 *
 * Amounts are not among them: what someone paid is under the secrecy of banks (Lei Complementar 105/2001, article 1),
 * and beside a time and a request_id it is easily somebody's.
 */
export const SHOWN: ReadonlySet<string> = /* @__PURE__ */ new Set([
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

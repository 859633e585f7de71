import { it } from 'vitest'
import { expectDeviation } from '../../variations/deviates.ts'

it.each([
  ['cursor-forgiving', 'list-pages', 'paging'],
  ['large-400', 'body-format', 'body-size'],
  ['static-status', 'copies', 'code-status-values'],
  ['check-of-ended', 'refusals', 'code-status-values'],
  ['keys-404', 'refusals', 'key-forms'],
  ['dates-brazilian', 'refusals', 'timestamp-formats'],
  ['payer-required', 'boundary-accepted', 'immediate-fields'],
  ['absent-zero-time', 'invariants', 'absent-values'],
  ['payer-is-partner', 'invariants', 'transfer-parties'],
  ['filter-unknown', 'break-refused', 'paging'],
  ['transfer-type-any', 'break-refused', 'transfer-types'],
  ['cnpj-digits', 'refusals', 'key-forms'],
  ['amount-cap', 'boundary-accepted', 'bounds'],
  ['guide-200', 'aliases-served', 'guide-paths'],
  ['code-words', 'copies', 'code-kinds'],
  ['code-expiration-seconds', 'response-schema', 'code-expiration'],
  ['record-wrapped', 'response-schema', 'qr-record'],
])('finds that %s deviates from its assumption only, and does not fail', expectDeviation)

import { isCpf } from '@partner-payments/brcode'
import { fieldsOf, type Json } from '../contract/json.ts'
import type { Sender } from '../send/requests.ts'
import { validBody } from './bodies.ts'
import type { PlanContext } from './plan.ts'
import type { CodeKind } from './records.ts'
import { createRecord } from './valid-requests.ts'

interface CodeOptions {
  /** Other fields of the request than those of the example. */
  readonly fields?: Json
  /** Who creates it. Default: the partner. */
  readonly by?: Sender
}

/** Creates a QR code whose payer has a tax ID. Returns its `id` and its payment code `emv`. */
export function createCodeOfPayer(
  context: PlanContext,
  kind: CodeKind,
  tax_id: string,
  { fields = {}, by }: CodeOptions = {},
): ReturnType<typeof createRecord> {
  const body = { ...validBody(context, kind.create), ...fields }
  const payer = { name: 'Fulano de Tal', ...fieldsOf(body.payer), tax_id }
  return createRecord(context, kind.create, { body: { ...body, payer }, by })
}

/** A CPF, the tax ID of a person, that no earlier run has used: nine digits by chance and two check digits. */
export function newTaxId({ uniqueText }: Pick<PlanContext, 'uniqueText'>): string {
  const nineDigits = [...uniqueText(9)].map((hex) => Number.parseInt(hex, 16) % 10).join('')
  // Tries all check digits, of which at most one pair is right.
  for (let check = 0; check < 100; check++) {
    const checkDigits = String(check).padStart(2, '0')
    if (isCpf(nineDigits + checkDigits)) return nineDigits + checkDigits
  }
  // No check digits fit, since a CPF must not have all the same digits: tries nine other ones.
  return newTaxId({ uniqueText })
}

import type { DueDateQrCodeRequest, ImmediateQrCodeRequest } from '@partner-payments/spec'
import { deductionFaults, discountFaults, lacking } from './adjustments.ts'
import { parseCentavos } from './centavos.ts'
import { type ChargeFault, invalid, missing } from './fault.ts'

/**
 * The charge rules that a due-date request breaks and that a schema cannot express; empty if it is valid. They are
 * assumptions to the open questions `charge-rules` and `due-date-fields`.
 *
 * Pix API 2.9.0, `valor`, `multa`, `juros`, `abatimento` and `desconto`.
 *
 * @throws {TypeError} if an amount is invalid: validate the request against the contract first.
 *
 * @example
 * const request = { dict_key: 'loja@example.com', tx_id: 'PEDIDO1002PEDIDO1002PEDIDO1002' }
 * chargeFaults(request, '2026-12-15').map(({ pointer }) => pointer) // ['/amount/original', '/calendar/due_date']
 */
export function chargeFaults(request: DueDateQrCodeRequest, today: string): ChargeFault[] {
  const { amount = {}, calendar = {} } = request
  const limits = { original: amount.original, dueDate: calendar.due_date }
  return [
    ...originalFaults(limits.original),
    ...dueDateFaults(limits.dueDate, today),
    ...deductionFaults(amount.deduction, limits),
    ...discountFaults(amount.discount, limits),
    ...lacking('/amount/fine', amount.fine),
    ...lacking('/amount/interest', amount.interest),
  ]
}

/**
 * The charge rules that an immediate request breaks; empty if it is valid. They are assumptions to the open question
 * `immediate-fields`.
 *
 * Pix API 2.9.0, `valor`.
 *
 * @throws {TypeError} if the amount is invalid: validate the request against the contract first.
 *
 * @example
 * const request = { dict_key: 'loja@example.com', tx_id: 'PEDIDO1002PEDIDO1002PEDIDO1002' }
 * immediateFaults(request).map(({ code }) => code) // ['field_missing']
 */
export function immediateFaults({ amount }: ImmediateQrCodeRequest): ChargeFault[] {
  return originalFaults(amount?.original)
}

function originalFaults(original: string | undefined): ChargeFault[] {
  const pointer = '/amount/original'
  if (original === undefined) return [missing(pointer)]
  return parseCentavos(original) > 0n ? [] : [invalid(pointer, 'be above zero')]
}

function dueDateFaults(dueDate: string | undefined, today: string): ChargeFault[] {
  const pointer = '/calendar/due_date'
  if (dueDate === undefined) return [missing(pointer)]
  return dueDate >= today ? [] : [invalid(pointer, `be ${today} or later`)]
}

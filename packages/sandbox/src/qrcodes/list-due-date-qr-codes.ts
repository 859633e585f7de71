import type { Handler } from '../handler.ts'
import { listCharges } from './list.ts'
import type { DueDateQrCode } from './record.ts'

/** A page of due-date QR codes. */
export const listDueDateQrCodes: Handler<'listDueDateQrCodes'> = ({ query, caller, context }) =>
  listCharges<DueDateQrCode>(context, caller, 'DueDate', query)

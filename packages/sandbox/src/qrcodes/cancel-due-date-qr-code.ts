import type { Handler } from '../handler.ts'
import { cancelCharge } from './cancel.ts'
import type { DueDateQrCode } from './record.ts'

/** Cancels a due-date QR code. */
export const cancelDueDateQrCode: Handler<'cancelDueDateQrCode'> = ({ path, caller, context }) =>
  cancelCharge<DueDateQrCode>(context, caller, 'DueDate', path.id)

import type { Handler } from '../handler.ts'
import { cancelCharge } from './cancel.ts'
import type { ImmediateQrCode } from './record.ts'

/** Cancels an immediate QR code. */
export const cancelImmediateQrCode: Handler<'cancelImmediateQrCode'> = ({ path, caller, context }) =>
  cancelCharge<ImmediateQrCode>(context, caller, 'Immediate', path.id)

import type { Handler } from '../handler.ts'
import { listCharges } from './list.ts'
import type { ImmediateQrCode } from './record.ts'

/** A page of immediate QR codes. */
export const listImmediateQrCodes: Handler<'listImmediateQrCodes'> = ({ query, caller, context }) =>
  listCharges<ImmediateQrCode>(context, caller, 'Immediate', query)

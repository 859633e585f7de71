import type { Call } from './call.ts'
import { staticIn } from './codes.ts'
import type { TestSandbox } from './sandbox.ts'
import { callerOf, rowOf } from './state.ts'
import { refuse, type Service } from './wrap.ts'

/** Refuses a transfer whose payer is its receiver. */
export const refusesOneself: Service = {
  operations: 'createTransfer',
  ...refuse([422, 'invalid_request'], async (_, call, sandbox) => {
    const caller = await callerOf(call, sandbox)
    const receiver = await findReceiver(call, sandbox)
    return caller !== undefined && caller.account_id === receiver
  }),
}

/** The account that a transfer pays: that of its code, or of its key. */
async function findReceiver({ json = {} }: Call, sandbox: TestSandbox): Promise<unknown> {
  const ofCode = 'SELECT account_id FROM qrcodes WHERE emv = ?'
  const code = await rowOf(sandbox, ofCode, json.emv ?? '')
  if (code) return code.account_id

  const ofKey = 'SELECT account_id FROM keys WHERE dict_key = ?'
  const key = await rowOf(sandbox, ofKey, staticIn(json.emv)?.key ?? json.dict_key ?? '')
  return key?.account_id
}

import { type Call, withBody } from '../call.ts'
import type { TestSandbox } from '../sandbox.ts'

/** The same transfer with an initiation id that its caller never looked up. */
export async function lookedUp(call: Call, sandbox: TestSandbox): Promise<Call> {
  const authorization = call.headers.get('authorization')
  const body = { dict_key: call.json?.dict_key }
  const { initiation_id } = await sandbox.send('POST', '/pix/dict/check/', { authorization, body })
  return withBody(call, { ...call.json, initiation_id })
}

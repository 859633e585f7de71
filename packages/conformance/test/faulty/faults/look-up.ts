import { type Call, withBody } from '../call.ts'
import type { World } from '../world.ts'

/** The same transfer with the initiation id of a look-up that its caller never made. */
export async function lookedUp(call: Call, world: World): Promise<Call> {
  const authorization = call.headers.get('authorization')
  const body = { dict_key: call.json?.dict_key }
  const { initiation_id } = await world.send('POST', '/pix/dict/check/', { authorization, body })
  return withBody(call, { ...call.json, initiation_id })
}

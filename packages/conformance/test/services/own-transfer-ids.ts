import { fieldsOf } from '../../src/contract/json.ts'
import type { Service } from './wrap.ts'

/** The events of transfers name the transfer in a field of the service's own, and have no description. */
export const ownTransferIds: Service = {
  relay(posted, send) {
    const { data, ...event } = JSON.parse(posted.body)
    const { id, description: _, ...others } = fieldsOf(data)
    const isOfTransfer = String(event.type).startsWith('transfer.')
    const changed = isOfTransfer ? { transfer: id, ...others } : data
    return send({ ...posted, body: JSON.stringify({ ...event, data: changed }) })
  },
}

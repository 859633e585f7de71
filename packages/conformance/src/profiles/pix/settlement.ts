import type { Context } from '../../engine/context.ts'
import { eventually } from '../../engine/eventually.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { isOf } from '../../rules/records/records.ts'
import { itemOf } from '../../rules/records/whole-list.ts'

/** What of the data of a transfer does not go with its status; undefined where all does. */
export function unsettled(data: unknown): string | undefined {
  const { status, settled_at, rejection_message } = nodeOf(data)
  const [isSettled, isRejected] = [status === 'settled', status === 'rejected']
  if ((settled_at !== '') !== isSettled)
    return `Expected settled_at of a transfer that is ${status} to be ${isSettled ? 'told' : 'empty'}.`
  return (rejection_message !== '') === isRejected
    ? undefined
    : `Expected rejection_message of a transfer that is ${status} to be ${isRejected ? 'told' : 'empty'}.`
}

/** The status of a charge that was paid. */
export const PAID = 'CONCLUIDA'

/** The status of a charge on its list once it is paid, else the last that was seen; undefined where none is shown. */
export async function listedStatusOf(context: Context, created: Exchange): Promise<unknown> {
  const resource = resourcesOf(context.contract).find(({ create }) => create.id === created.view?.id)
  if (!resource?.cancel) return undefined
  const isMeant = isOf(resource.cancel, created)
  const look = async () => nodeOf(await itemOf(context, resource, isMeant)).status
  return eventually(context, look, (status) => status === PAID)
}

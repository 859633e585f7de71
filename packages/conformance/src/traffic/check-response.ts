import type { Finding } from '../engine/result.ts'
import { type ContractSource, loadContract } from '../model/contract-source.ts'
import { baseUrlOf } from './request-scope.ts'
import { createWatcher } from './watcher.ts'

/**
 * Checks one response against its operation. The response can still be read afterwards.
 *
 * @param operation The operationId.
 * @param contract A changed copy of the contract, bundled. Default: the partner payments contract.
 * @throws {TypeError} if there is no such operation, or the body was already read
 */
export async function checkResponse(
  response: Response,
  operation: string,
  contract?: object,
): Promise<readonly Finding[]> {
  const source = await loadContract(contract)
  const view = source.contract.operations.find(({ id }) => id === operation)
  if (!view) throw new TypeError(`there is no operation "${operation}" in the contract`)
  if (response.bodyUsed)
    throw new TypeError('the body of the response was read already; hand over response.clone()')
  const { status, headers } = response
  const received = {
    status,
    headers: Object.fromEntries(headers),
    text: await response.clone().text(),
    ms: 0,
  }
  const watcher = createWatcher({
    ...source,
    url: urlOf(source, response),
    requests: false,
    isPerPlace: true,
  })
  watcher.see({ method: view.method, path: view.path, headers: {}, body: undefined }, received)
  return watcher.result().findings
}

function urlOf({ contract }: ContractSource, { url }: Response): string {
  return url ? new URL(url).origin : baseUrlOf(contract, 'http://localhost').href
}

import { createSchemas, type Schemas } from '../generate/schema/index.ts'
import type { Contract } from '../model/contract.ts'
import { below, valueAt } from '../model/document.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import { operationRefusingMethod } from '../model/refused-method.ts'
import type { Transport } from '../transport/transport.ts'
import type { MechanicalFault, RequestPlant, ResponsePlant } from './fault.ts'
import { type Edits, editsLike, isBrokenOnlyBy, readRequest, repair } from './repair.ts'

/** A transport with a planted fault. */
export interface MutatingTransport extends Transport {
  /** Number of changed responses or accepted invalid requests. */
  readonly planted: number
}

/**
 * Plants one fault in the traffic of a transport. The service itself is unchanged.
 *
 * @example
 * const faulty = createMutatingTransport(contract, createFetchTransport(service), fault)
 */
export function createMutatingTransport(
  contract: Contract,
  transport: Transport,
  fault: MechanicalFault,
): MutatingTransport {
  const { plant } = fault
  const view = contract.operation(fault.operation)
  const isMeant = (request: HttpRequest, response?: HttpResponse) =>
    operationOf(contract, request, response) === view.id
  const planted =
    'change' in plant
      ? changingResponses(plant, transport, isMeant)
      : acceptingInvalid(contract, view, plant, transport, isMeant)
  return {
    get planted() {
      return planted.count
    },
    send: planted.send,
    close: () => transport.close(),
  }
}

/** The id of the requested operation, or of the one that describes a 405; undefined if there is none. */
export function operationOf(
  contract: Contract,
  request: HttpRequest,
  response?: HttpResponse,
): string | undefined {
  const { method, path } = request
  const found = contract.validator.findOperation(method, path.split('?', 1)[0] ?? '')
  if (!found.found) return response && operationRefusingMethod(contract, request, response)?.id
  return found.operation.id ?? `${found.operation.method} ${found.operation.path}`
}

type IsMeant = (request: HttpRequest, response?: HttpResponse) => boolean

function changingResponses({ status, change }: ResponsePlant, transport: Transport, isMeant: IsMeant) {
  const planted = {
    count: 0,
    async send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
      const response = await transport.send(request, signal)
      const changed =
        String(response.status) === status && isMeant(request, response) ? change(response) : undefined
      if (changed) planted.count++
      return changed ?? response
    },
  }
  return planted
}

/** Accepted bodies remembered for repairs. */
const MAX_ACCEPTED = 20

function acceptingInvalid(
  contract: Contract,
  view: OperationView,
  plant: RequestPlant,
  transport: Transport,
  isMeant: IsMeant,
) {
  const accepted: unknown[] = []
  let succeeded: HttpResponse | undefined
  const schemas = createSchemas(contract.document.root, contract.validator)
  const made = (pointer: string) => {
    const whole = view.bodyPointer === undefined ? undefined : schemas.validOf(view.bodyPointer)
    return [...view.examples, whole]
      .map((it) => valueAt(it, pointer))
      .concat(valueFor(contract, schemas, plant))
  }
  const edits: Edits = (body, pointer) => editsLike(accepted, made)(body, pointer)
  const planted = {
    count: 0,
    async send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
      const read = isMeant(request) ? readRequest(contract, request) : undefined
      const isBroken = read && isBrokenOnlyBy(read, plant)
      const sent = isBroken ? repair(contract, view, request, read, edits) : undefined
      if (sent) planted.count++
      const response = await transport.send(sent ?? request, signal)
      if (sent && response.status >= 400 && isOneTimeIdMissing(view, plant)) return succeeded ?? response
      if (read?.findings.length !== 0 || response.status >= 300) return response
      succeeded = response
      if (accepted.length < MAX_ACCEPTED) accepted.unshift(read.body)
      return response
    },
  }
  return planted
}

/** A value of the schema, if no accepted body has one. */
function valueFor({ document }: Contract, schemas: Schemas, { keyword, path }: RequestPlant): unknown {
  const at = keyword.slice(0, keyword.lastIndexOf('/'))
  const schema = keyword.endsWith('/required') ? below(at, 'properties', path.split('/').at(-1) ?? '') : at
  return document.at(schema) === undefined ? undefined : schemas.validOf(schema)
}

/**
 * Whether the broken field is a one-time id. No repair can supply a valid one, so an earlier success is returned
 * instead.
 */
function isOneTimeIdMissing({ oneTimeFields }: OperationView, { path, place }: RequestPlant): boolean {
  return place === 'body' && oneTimeFields.some((it) => it === path || path === '')
}

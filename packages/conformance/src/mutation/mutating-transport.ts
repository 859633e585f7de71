import { refusingMethod } from '../engine/method-refusal.ts'
import { createSchemas, type Schemas } from '../generate/schema/index.ts'
import type { Contract } from '../model/contract.ts'
import { below, valueAt } from '../model/document.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { Transport } from '../transport/transport.ts'
import type { AnswerPlant, CheckPlant, MechanicalFault } from './fault.ts'
import { breaksOnly, type Edits, editsLike, readRequest, repaired } from './repair.ts'

/** A wire to a service that is wrong in one way, and how often that was so. */
export interface ProvingTransport extends Transport {
  /** Answers changed, or requests let pass. */
  readonly planted: number
}

/**
 * Plants one fault in the traffic of a wire. The service behind it stays as it is.
 *
 * @example
 * const faulty = createProvingWire(contract, createWire(new URL('http://127.0.0.1:4020')), fault)
 */
export function createMutatingTransport(
  contract: Contract,
  transport: Transport,
  fault: MechanicalFault,
): ProvingTransport {
  const { plant } = fault
  const view = contract.operation(fault.operation)
  const isMeant = (request: HttpRequest, response?: HttpResponse) =>
    operationOf(contract, request, response) === view.id
  const planted =
    'change' in plant
      ? answering(plant, transport, isMeant)
      : passing(contract, view, plant, transport, isMeant)
  return {
    get planted() {
      return planted.count
    },
    send: planted.send,
    close: () => transport.close(),
  }
}

/** The operation that a call means, or that describes the refusal of its method; undefined where none does. */
export function operationOf(
  contract: Contract,
  request: HttpRequest,
  response?: HttpResponse,
): string | undefined {
  const { method, path } = request
  const found = contract.validator.findOperation(method, path.split('?', 1)[0] ?? '')
  if (!found.found) return response && refusingMethod(contract, request, response)?.id
  return found.operation.id ?? `${found.operation.method} ${found.operation.path}`
}

type IsMeant = (request: HttpRequest, response?: HttpResponse) => boolean

function answering({ status, change }: AnswerPlant, transport: Transport, isMeant: IsMeant) {
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

/** Bodies remembered of one operation, at most. */
const MAX_ACCEPTED = 20

function passing(
  contract: Contract,
  view: OperationView,
  plant: CheckPlant,
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
      const isBroken = read && breaksOnly(read, plant)
      const sent = isBroken ? repaired(contract, view, request, read, edits) : undefined
      if (sent) planted.count++
      const response = await transport.send(sent ?? request, signal)
      if (sent && response.status >= 400 && lacksOwnId(view, plant)) return succeeded ?? response
      if (read?.findings.length !== 0 || response.status >= 300) return response
      succeeded = response
      if (accepted.length < MAX_ACCEPTED) accepted.unshift(read.body)
      return response
    },
  }
  return planted
}

/** A value that the schema itself gives, for what nobody has sent yet. */
function valueFor({ document }: Contract, schemas: Schemas, { keyword, path }: CheckPlant): unknown {
  const at = keyword.slice(0, keyword.lastIndexOf('/'))
  const schema = keyword.endsWith('/required') ? below(at, 'properties', path.split('/').at(-1) ?? '') : at
  return document.at(schema) === undefined ? undefined : schemas.validOf(schema)
}

/**
 * Whether what is broken is what has to be given anew for each request, as the id of a payment that was looked up: no
 * repair can have it, so an earlier success stands for the one that there would be.
 */
function lacksOwnId({ usedOnce }: OperationView, { path, place }: CheckPlant): boolean {
  return place === 'body' && usedOnce.some((it) => it === path || path === '')
}

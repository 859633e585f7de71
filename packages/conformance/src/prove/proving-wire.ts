import type { Contract, OperationView } from '../run/contract.ts'
import { below, valueAt } from '../run/document.ts'
import type { Call, Reply, Wire } from '../run/wire.ts'
import { createSchemas, type Json } from '../schema/index.ts'
import type { AnswerPlant, CheckPlant, MechanicalFault } from './fault.ts'
import { breaksOnly, readRequest, repaired } from './repair.ts'

/** A wire to a service that is wrong in one way, and how often that was so. */
export interface ProvingWire extends Wire {
  /** Answers changed, or requests let pass. */
  readonly planted: number
}

/**
 * Plants one fault in the traffic of a wire. The service behind it stays as it is.
 *
 * @example
 * const faulty = createProvingWire(contract, createWire(new URL('http://127.0.0.1:4020')), fault)
 */
export function createProvingWire(contract: Contract, wire: Wire, fault: MechanicalFault): ProvingWire {
  const { plant } = fault
  const view = contract.operation(fault.operation)
  const isMeant = (call: Call) => operationOf(contract, call) === view.id
  const planted = 'change' in plant ? answering(plant, wire) : passing(contract, view, plant, wire)
  return {
    get planted() {
      return planted.count
    },
    send: (call) => (isMeant(call) ? planted.send(call) : wire.send(call)),
    close: () => wire.close(),
  }
}

/** The operation that a call means; undefined where it means none. */
export function operationOf({ validator }: Contract, { method, path }: Call): string | undefined {
  const found = validator.findOperation(method, path.split('?', 1)[0] ?? '')
  return found.found ? (found.operation.id ?? `${found.operation.method} ${found.operation.path}`) : undefined
}

function answering({ status, change }: AnswerPlant, wire: Wire) {
  const planted = {
    count: 0,
    async send(call: Call): Promise<Reply> {
      const reply = await wire.send(call)
      const changed = String(reply.status) === status ? change(reply) : undefined
      if (changed) planted.count++
      return changed ?? reply
    },
  }
  return planted
}

/** Bodies remembered of one operation, at most. */
const MAX_ACCEPTED = 20

function passing(contract: Contract, view: OperationView, plant: CheckPlant, wire: Wire) {
  const accepted: unknown[] = []
  let succeeded: Reply | undefined
  const schemas = createSchemas(contract.document.root)
  const known = (pointer: string) => {
    const made = view.bodyPointer === undefined ? undefined : schemas.validOf(view.bodyPointer)
    const seen = [...accepted, ...view.examples, made].map((it) => valueAt(it, pointer))
    return unique([...seen, ...shownAt(contract, plant)].filter((it) => it !== undefined))
  }
  const planted = {
    count: 0,
    async send(call: Call): Promise<Reply> {
      const read = readRequest(contract, call)
      const isBroken = read && breaksOnly(read, plant)
      const sent = isBroken ? repaired(contract, view, call, read, known) : undefined
      if (sent) planted.count++
      const reply = await wire.send(sent ?? call)
      if (sent && reply.status >= 400 && lacksOwnId(view, plant)) return succeeded ?? reply
      if (read?.findings.length !== 0 || reply.status >= 300) return reply
      succeeded = reply
      if (accepted.length < MAX_ACCEPTED) accepted.unshift(read.body)
      return reply
    },
  }
  return planted

  /** A value that the schema itself gives, for what nobody sent yet. */
  function shownAt({ document }: Contract, { keyword, path }: CheckPlant): readonly unknown[] {
    const at = keyword.slice(0, keyword.lastIndexOf('/'))
    const schema = keyword.endsWith('/required') ? below(at, 'properties', path.split('/').at(-1) ?? '') : at
    const made: Json | undefined = document.at(schema) === undefined ? undefined : schemas.validOf(schema)
    return made === undefined ? [] : [made]
  }
}

/**
 * Whether what is broken is what has to be given anew for each request, as the id of a payment that was looked up: no
 * repair can have it, so an earlier success stands for the one that there would be.
 */
function lacksOwnId({ usedOnce }: OperationView, { path, place }: CheckPlant): boolean {
  return place === 'body' && usedOnce.some((it) => it === path || path === '')
}

function unique(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((it) => [JSON.stringify(it), it])).values()].slice(0, 5)
}

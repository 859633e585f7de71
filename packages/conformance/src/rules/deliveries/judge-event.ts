import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engine/context.ts'
import type { Violation } from '../../engine/violation.ts'
import { isAbsent } from '../../model/absent-values.ts'
import type { Contract } from '../../model/contract.ts'
import { below, type Node, nodeOf, valueAt } from '../../model/document.ts'
import { jsonIn } from '../../model/http.ts'
import type { Delivery } from '../../transport/receiver.ts'
import { recordIn } from '../common/declared-resources.ts'
import { citing } from '../common/declared-sources.ts'
import { declaredContent } from '../records/differences.ts'
import { invariantsIn } from '../responses/invariants.ts'
import type { Occurrence } from './causes.ts'

/** Milliseconds between a change and the time that its event shows. */
const NEAR = 60_000

/** An event that arrived, and the change that it must report. */
export interface Arrived {
  /** Stable words for its cause. */
  readonly name: string
  readonly occurrence: Occurrence
  readonly delivery: Delivery
  readonly place: Partial<Violation>
}

/** The name of an event; undefined where it has none. */
export function eventName({ text }: Delivery): string | undefined {
  const { type } = nodeOf(jsonIn(text))
  return typeof type === 'string' ? type : undefined
}

/** The time that an event shows, in milliseconds since 1970; undefined where it has none. */
export function eventTime({ text }: Delivery): number | undefined {
  const time = Date.parse(String(nodeOf(jsonIn(text)).timestamp))
  return Number.isNaN(time) ? undefined : time
}

/** Judges an event: its form, its name, and the record and the time that it shows. */
export function judgeEvent(context: Context, it: Arrived): void {
  judgeForm(context, it)
  const { exchange, events } = it.occurrence
  const [declared = ''] = Object.values(events)
  const place = { ...it.place, ...citing(context.behaviour.events?.[declared]) }
  for (const { about, message } of [nameFault(it), recordFault(it, context.contract), timeFault(it)])
    context.expect(exchange, message && `The event after ${it.name} ${message}.`, { ...place, about })
}

interface Fault {
  readonly about: string
  readonly message: string | undefined
}

function judgeForm(
  context: Context,
  { occurrence: { exchange, events, shown }, delivery, place }: Arrived,
): void {
  const { contract, behaviour, profile } = context
  const body = jsonIn(delivery.text)
  const name = eventName(delivery)
  const found = contract.validator.validateDelivery({ name: String(name), headers: delivery.headers, body })
  if (found.length === 0) context.passed()
  const [declared = ''] = Object.values(events)
  // An event with another name has no schema: the finding is about its name.
  const named = citing(behaviour.events?.[declared])
  for (const { pointer, contract, keyword, message, question } of found)
    context.expect(exchange, `A delivery does not match the contract at "${pointer}": ${message}.`, {
      ...place,
      contract,
      about: keyword,
      ...(contract === '/webhooks' || isLeftOut(body, pointer, shown) ? named : question ? { question } : {}),
    })
  const content = below(
    '/webhooks',
    String(name),
    'post',
    'requestBody',
    'content',
    'application/json',
    'schema',
  )
  const run = { behaviour, memory: new Map(), checks: profile.checks }
  for (const { message, ...at } of invariantsIn(body, content, { exchange, contract, run }))
    context.expect(exchange, message && `In the event ${name}: ${message}`, {
      ...at,
      ...place,
      contract: at.contract,
    })
}

/** Whether an event lacks a field that the record has in a response: what an event shows is a question of its own. */
function isLeftOut(body: unknown, pointer: string, shown: Node): boolean {
  const inRecord = pointer.replace(/^\/data(?=\/)/, '')
  return (
    inRecord !== pointer && valueAt(body, pointer) === undefined && valueAt(shown, inRecord) !== undefined
  )
}

function nameFault({ occurrence: { events, resource }, delivery }: Arrived): Fault {
  const [name, names] = [eventName(delivery), Object.values(events)]
  const { [step(resource.status)]: state } = dataOf(delivery, resource)
  if (name === undefined || !names.includes(name))
    return { about: 'name', message: name && `is named ${name}; expected ${names.join(' or ')}` }
  // Undeclared states are findings about the schema.
  const isKnown = typeof state === 'string' && state in (resource.states ?? {})
  const isRight = !isKnown || events[state] === name
  return { about: 'name', message: isRight ? undefined : `is named ${name}, and its record is ${state}` }
}

function recordFault(
  { occurrence: { resource, shown, isAfter }, delivery }: Arrived,
  contract: Contract,
): Fault {
  const [record, data] = [shown, dataOf(delivery, resource)].map((it) =>
    nodeOf(declaredContent(contract, it)),
  )
  // Fields that change with the state had other values before.
  const moving = isAfter ? [] : [resource.status, ...(resource.volatile ?? [])].map(step)
  const name = otherIn(
    nodeOf(record),
    nodeOf(data),
    (it, value) => moving.includes(it) || (!isAfter && isAbsent(value)),
  )
  return {
    about: `record ${name ?? ''}`.trim(),
    message: name && `shows another ${name} than the record has`,
  }
}

/** The first field that both have with different values, also in nested objects. */
function otherIn(
  shown: Node,
  data: Node,
  isIgnored: (name: string, value: unknown) => boolean,
): string | undefined {
  for (const [name, value] of Object.entries(shown)) {
    const other = data[name]
    if (!Object.hasOwn(data, name) || isIgnored(name, value)) continue
    if (isPlain(value) && isPlain(other)) {
      const inside = otherIn(value, other, isIgnored)
      if (inside) return inside
    } else if (!isDeepStrictEqual(value, other)) return name
  }
  return undefined
}

function isPlain(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The event shows the time of the change, and so does every time field that the change fills. */
function timeFault({ occurrence: { resource, exchange, shown }, delivery }: Arrived): Fault {
  const moment = eventTime(delivery) ?? Number.NaN
  const data = dataOf(delivery, resource)
  const filled = Object.keys(data).filter(
    (it) => Object.hasOwn(shown, it) && isAbsent(shown[it]) && !isAbsent(data[it]) && isTime(data[it]),
  )
  const late = filled.find((it) => Math.abs(Date.parse(String(data[it])) - moment) > NEAR)
  const isOff = exchange.at !== undefined && Math.abs(moment - exchange.at) > NEAR
  return {
    about: 'time',
    message: isOff ? 'shows another time than that of the change' : late && `shows another ${late}`,
  }
}

function dataOf({ text }: Delivery, resource: Occurrence['resource']): Node {
  return recordIn(nodeOf(jsonIn(text)).data, resource)
}

/** The field of a record that a pointer of one step names. */
function step(pointer = ''): string {
  return pointer.slice(1)
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
}

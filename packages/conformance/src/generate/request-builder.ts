import type { Contract } from '../model/contract.ts'
import { nodeOf, valueAt, withValueAt } from '../model/document.ts'
import type { Exchange, Input, RequestIdentity } from '../model/exchange.ts'
import { isExpression } from '../model/expressions.ts'
import type { Link } from '../model/links.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { ParameterView } from '../model/parameter-views.ts'
import { renewed } from './fresh-values.ts'
import { type LinkValues, linkValues } from './link-values.ts'

/** Builds valid requests from examples, links, configured values and responses of the run. */
export interface RequestBuilder {
  /**
   * The input of a new request, with fresh one-time values. Undefined if a value that it needs is not available.
   */
  inputOf(view: OperationView, options: BuildOptions): Promise<Input | undefined>
  /** The same input with fresh one-time values. */
  refreshed(view: OperationView, input: Input, identity: RequestIdentity): Promise<Input | undefined>
  /** The same body with fresh values for its one-time fields, except `kept` and fields that links supply. */
  renewed(view: OperationView, body: unknown, kept: string): unknown
  /** The input of the operation that a link leads to; undefined if the response lacks a value. */
  inputFromLink(link: Link, exchange: Exchange): Input | undefined
  /** The same input with fields of its body set, by pointer. */
  withFields(input: Input, fields: Readonly<Record<string, unknown>>): Input
}

export interface BuildOptions {
  readonly identity: RequestIdentity
  /** Index of the example to start from. Default: 0. */
  readonly example?: number
  /** The identity for requests that this one depends on. Default: `identity`. */
  readonly identityFor?: (source: OperationView) => RequestIdentity
  /** Fields to set in the requests that this one depends on. */
  readonly fieldsFor?: (source: OperationView) => Readonly<Record<string, unknown>>
  /** The operation to take values from, if several can supply them. Default: the one whose example fits best. */
  readonly from?: string | undefined
  /** Called with each response that a value was taken from. */
  readonly onSource?: (exchange: Exchange) => void
  /** Whether to send the example unchanged if it depends on no other request. Default: false. */
  readonly isExample?: boolean
}

interface RequestBuilderOptions {
  readonly contract: Contract
  readonly random: () => number
  /** A value of a schema, for operations without an example. */
  readonly validOf: (pointer: string) => unknown
  /** Values by operationId and JSON pointer. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Sends the source request of a link; undefined if it was refused. */
  readonly send: (
    view: OperationView,
    input: Input,
    identity: RequestIdentity,
  ) => Promise<Exchange | undefined>
  /** The value of a path parameter that no link supplies; undefined if there is none. */
  readonly pathValue: (parameter: ParameterView) => string | undefined
  readonly canSend: (view: OperationView) => boolean
}

/** Limits chains of links. */
const MAX_DEPTH = 6

export function createRequestBuilder(options: RequestBuilderOptions): RequestBuilder {
  const { contract, random, values, validOf, pathValue } = options

  async function inputOf(view: OperationView, options: BuildOptions, depth = 0): Promise<Input | undefined> {
    const { example = 0, isExample = false } = options
    const sample = view.examples[example] ?? view.examples[0]
    const begun = view.bodyPointer === undefined ? undefined : (sample ?? validOf(view.bodyPointer))
    const body = fresh(view, withPointers(begun, values[view.id]))
    if (isExample && isSelfContained(view)) return { path: {}, body }
    const path = view.pathParameters.flatMap((parameter) => {
      const text = pathValue(parameter)
      return text === undefined ? [] : [[parameter.name, text]]
    })
    return follow(view, { path: Object.fromEntries(path), body }, options, depth)
  }

  /** Values of links override those of examples. The first usable link is taken. */
  async function follow(
    view: OperationView,
    input: Input,
    {
      identity,
      identityFor = () => identity,
      onSource = () => {},
      fieldsFor = () => ({}),
      from,
    }: BuildOptions,
    depth: number,
  ): Promise<Input | undefined> {
    const links = contract.links.filter(
      (link) => link.to === view.id && link.from !== view.id && hasConstantsOf(link, input.body),
    )
    const usable = links.filter(({ from }) => options.canSend(contract.operation(from)))
    if (usable.length === 0 || depth > MAX_DEPTH) return input
    const takenFrom = async (link: Link): Promise<LinkValues | undefined> => {
      const source = contract.operation(link.from)
      const example = exampleFor(source, link, input.body)
      const asking = { identity, identityFor, onSource, fieldsFor, from, example }
      const found = await inputOf(source, asking, depth + 1)
      const built = found && { ...found, body: withPointers(found.body, fieldsFor(source)) }
      const exchange = built && (await options.send(source, built, identityFor(source)))
      const linked = exchange && linkValues(view, link, exchange)
      if (exchange && linked) onSource(exchange)
      return linked
    }
    let hasInvalidValue = false
    for (const link of closestFirst(usable, input.body, from)) {
      const linked = await takenFrom(link)
      if (linked?.isAllowed) return withTaken(input, linked)
      hasInvalidValue ||= linked !== undefined
    }
    // The link supplied an invalid value, so the request keeps its own.
    return hasInvalidValue ? input : undefined
  }

  /** Links whose source has an example with the same values come first. */
  function closestFirst(links: readonly Link[], sample: unknown, wanted?: string): Link[] {
    const isClose = ({ from, body }: Link) => {
      if (wanted !== undefined && links.some((it) => it.from === wanted)) return from === wanted
      const { responseExamples } = contract.operation(from)
      return Object.entries(nodeOf(body)).some(([name, expression]) => {
        const [, pointer] = /^\$response\.body#(.+)$/.exec(String(expression)) ?? []
        const value = nodeOf(sample)[name]
        return (
          pointer !== undefined &&
          value !== undefined &&
          responseExamples.some((it) => valueAt(it, pointer) === value)
        )
      })
    }
    return [...links].sort((a, b) => Number(isClose(b)) - Number(isClose(a)))
  }

  /** Replaces one-time values with new ones of the same form. */
  function fresh(view: OperationView, body: unknown, kept?: string): unknown {
    return view.oneTimeFields
      .filter((it) => it !== kept)
      .reduce((built, pointer) => {
        const value = valueAt(built, pointer)
        return typeof value === 'string' && isFree(view, pointer)
          ? withValueAt(built, pointer, renewed(value, random))
          : built
      }, body)
  }

  /** Whether an example depends on no other request. */
  function isSelfContained(view: OperationView): boolean {
    return view.pathParameters.length === 0 && view.oneTimeFields.every((pointer) => isFree(view, pointer))
  }

  /** Whether no link supplies the field, so that the client chooses its value. */
  function isFree(view: OperationView, pointer: string): boolean {
    const bodies = contract.links.filter(({ to }) => to === view.id).map(({ body }) => body)
    return !bodies.some((body) => valueAt(body, pointer) !== undefined)
  }

  return {
    inputOf,
    renewed: fresh,
    inputFromLink(link, exchange) {
      const view = contract.operation(link.to)
      const linked = linkValues(view, link, exchange)
      if (!linked?.isAllowed) return undefined
      const sample = view.examples.find((it) => hasConstantsOf(link, it)) ?? view.examples[0]
      const body =
        view.bodyPointer === undefined
          ? undefined
          : fresh(view, withPointers(sample ?? validOf(view.bodyPointer), values[view.id]))
      return withTaken({ path: {}, body }, linked)
    },
    async refreshed(view, input, identity) {
      const body = fresh(view, input.body)
      return follow(view, { ...input, body }, { identity }, 0)
    },
    withFields: (input, fields) => ({ ...input, body: withPointers(input.body, fields) }),
  }
}

function withPointers(body: unknown, fields: Readonly<Record<string, unknown>> = {}): unknown {
  return Object.entries(fields).reduce((built, [pointer, value]) => withValueAt(built, pointer, value), body)
}

/** Whether a body has the constants of a link: a link for paying a key does not fit a request that pays a code. */
function hasConstantsOf({ body }: Link, sample: unknown): boolean {
  return Object.entries(nodeOf(body)).every(
    ([name, value]) => isExpression(value) || nodeOf(sample)[name] === value,
  )
}

/** The source example that shares most values with the body. */
function exampleFor({ examples }: OperationView, { body }: Link, sample: unknown): number {
  const wanted = Object.entries(nodeOf(body)).filter(([, value]) => isExpression(value))
  const score = (example: unknown) =>
    wanted.filter(
      ([name]) => nodeOf(example)[name] !== undefined && nodeOf(example)[name] === nodeOf(sample)[name],
    ).length
  const scores = examples.map(score)
  return Math.max(0, scores.indexOf(Math.max(...scores)))
}

function withTaken(input: Input, { into, isAllowed: _, ...linked }: LinkValues): Input {
  const merged = (part: 'path' | 'query' | 'headers') => ({ ...input[part], ...linked[part] })
  return {
    path: merged('path'),
    query: merged('query'),
    headers: merged('headers'),
    body: into(input.body),
  }
}

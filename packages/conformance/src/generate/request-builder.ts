import type { Contract } from '../model/contract.ts'
import { below, nodeOf, valueAt, withValueAt } from '../model/document.ts'
import type { Exchange, Input, RequestIdentity } from '../model/exchange.ts'
import { isExpression } from '../model/expressions.ts'
import type { Link } from '../model/links.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { ParameterView } from '../model/parameter-views.ts'
import { freshString } from './fresh-values.ts'
import { type LinkValues, linkValues } from './link-values.ts'
import { renewed } from './values.ts'

/** Makes requests that the service should accept, of examples, links and values of this very run. */
export interface RequestBuilder {
  /** The input of an operation, with what is used once made anew; undefined where what it needs cannot be had. */
  inputOf(view: OperationView, options: BuildOptions): Promise<Input | undefined>
  /** The same input, with what is used once made anew. */
  refreshed(view: OperationView, input: Input, identity: RequestIdentity): Promise<Input | undefined>
  /** The same body, with the members that the caller chooses and that are used once made anew, but for one. */
  renewed(view: OperationView, body: unknown, kept: string): unknown
  /** The input that a link makes of an answer; undefined where the answer lacks a part of it. */
  inputFromLink(link: Link, exchange: Exchange): Input | undefined
  /** The same input, with members of its body set. */
  withFields(input: Input, members: Readonly<Record<string, unknown>>): Input
}

export interface BuildOptions {
  readonly identity: RequestIdentity
  /** Which of the examples it begins with. Default: the first. */
  readonly example?: number
  /** Who sends a request that this one depends on. Default: `who`. */
  readonly identityFor?: (source: OperationView) => RequestIdentity
  /** Fields set in the request of a source. */
  readonly fieldsFor?: (source: OperationView) => Readonly<Record<string, unknown>>
  /** The operation that values are taken from, where several could give them. Default: one whose example fits. */
  readonly from?: string | undefined
  /** Receives each response that a value was taken from. */
  readonly onSource?: (exchange: Exchange) => void
  /** Whether the example is sent as it is, where it names nothing that has to be made first. Default: false. */
  readonly isExample?: boolean
}

interface RequestBuilderOptions {
  readonly contract: Contract
  readonly random: () => number
  /** A value of a schema, where the contract shows no example. */
  readonly validOf: (pointer: string) => unknown
  /** Values by operation and pointer: /amount of createTransfer is 0.01. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Sends the request that a link begins with; undefined where it was refused. */
  readonly send: (
    view: OperationView,
    input: Input,
    identity: RequestIdentity,
  ) => Promise<Exchange | undefined>
  /** A value of a path parameter that no link gives; undefined where none is known. */
  readonly pathValue: (parameter: ParameterView) => string | undefined
  /** Whether an operation may be sent to this target. */
  readonly canSend: (view: OperationView) => boolean
}

/** Links that lead to links, at most. */
const MAX_DEPTH = 6

export function createRequestBuilder(options: RequestBuilderOptions): RequestBuilder {
  const { contract, random, values, validOf, pathValue } = options

  async function inputOf(view: OperationView, options: BuildOptions, depth = 0): Promise<Input | undefined> {
    const { example = 0, isExample = false } = options
    const shown = view.examples[example] ?? view.examples[0]
    const begun = view.bodyPointer === undefined ? undefined : (shown ?? validOf(view.bodyPointer))
    const body = fresh(view, withPointers(begun, values[view.id]))
    if (isExample && isSelfContained(view)) return { path: {}, body }
    const path = view.pathParameters.flatMap((parameter) => {
      const text = pathValue(parameter)
      return text === undefined ? [] : [[parameter.name, text]]
    })
    return follow(view, { path: Object.fromEntries(path), body }, options, depth)
  }

  /** What links give goes before what examples show; the first that can be had is taken. */
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
      (link) => link.to === view.id && link.from !== view.id && matchesConstants(link, input.body),
    )
    const usable = links.filter(({ from }) => options.canSend(contract.operation(from)))
    if (usable.length === 0 || depth > MAX_DEPTH) return input
    const takenFrom = async (link: Link): Promise<LinkValues | undefined> => {
      const source = contract.operation(link.from)
      const example = exampleFor(source, link, input.body)
      const asking = { identity, identityFor, onSource, fieldsFor, from, example }
      const found = await inputOf(source, asking, depth + 1)
      const made = found && { ...found, body: withPointers(found.body, fieldsFor(source)) }
      const exchange = made && (await options.send(source, made, identityFor(source)))
      const taken = exchange && linkValues(view, link, exchange)
      if (exchange && taken) onSource(exchange)
      return taken
    }
    const declared = usable.filter(({ pointer }) => pointer !== '')
    if (declared.length === 0) return withAll(view, input, usable, takenFrom)
    let isOdd = false
    for (const link of closestFirst(declared, input.body, from)) {
      const taken = await takenFrom(link)
      if (taken?.isAllowed) return withTaken(input, taken)
      isOdd ||= taken !== undefined
    }
    // The value is not that of the parameter, so the link says nothing about what to ask with.
    return isOdd ? input : undefined
  }

  /** What inferred links give: each of them fills other fields, so that all are needed. */
  async function withAll(
    view: OperationView,
    input: Input,
    links: readonly Link[],
    takenFrom: (link: Link) => Promise<LinkValues | undefined>,
  ): Promise<Input | undefined> {
    let whole = input
    for (const link of new Map(links.map((it) => [it.from, it])).values()) {
      const taken = await takenFrom(link)
      if (!taken) return undefined
      const next = withTaken(whole, taken)
      // What the schema does not allow there was not meant by the name.
      if (taken.isAllowed && isAllowed(view, next.body)) whole = next
    }
    return whole
  }

  function isAllowed({ bodyPointer }: OperationView, body: unknown): boolean {
    if (bodyPointer === undefined) return true
    return contract.validator.validateValue(bodyPointer, body, { direction: 'to-service' }).length === 0
  }

  /** Links whose source shows the very values of the example come first. */
  function closestFirst(links: readonly Link[], shown: unknown, wanted?: string): Link[] {
    const isClose = ({ from, body }: Link) => {
      if (wanted !== undefined && links.some((it) => it.from === wanted)) return from === wanted
      const { responseExamples } = contract.operation(from)
      return Object.entries(nodeOf(body)).some(([name, expression]) => {
        const [, pointer] = /^\$response\.body#(.+)$/.exec(String(expression)) ?? []
        const value = nodeOf(shown)[name]
        return (
          pointer !== undefined &&
          value !== undefined &&
          responseExamples.some((it) => valueAt(it, pointer) === value)
        )
      })
    }
    return [...links].sort((a, b) => Number(isClose(b)) - Number(isClose(a)))
  }

  /** Members that are used once get values of their own, of the form that their schema asks for. */
  function fresh(view: OperationView, body: unknown, kept?: string): unknown {
    return view.usedOncePointers
      .filter((it) => it !== kept)
      .reduce(
        (made, pointer) => {
          const value = valueAt(made, pointer)
          return typeof value === 'string' && isFree(view, pointer)
            ? withValueAt(made, pointer, renewed(value, random))
            : made
        },
        unique(view, body, kept),
      )
  }

  /** Fields that may have to be unique get long random values. */
  function unique(
    { uniqueCandidates: mayBeUnique, bodyPointer = '' }: OperationView,
    body: unknown,
    kept?: string,
  ): unknown {
    const { document } = contract
    const properties = below(document.follow(bodyPointer).pointer, 'properties')
    return mayBeUnique
      .filter((it) => it !== kept && typeof valueAt(body, it) === 'string')
      .reduce((made, pointer) => {
        const { node } = document.follow(properties + pointer)
        return withValueAt(made, pointer, freshString(node, String(valueAt(made, pointer)), random))
      }, body)
  }

  /** Whether an example needs nothing of an answer: no id in its path, and nothing that is used once. */
  function isSelfContained(view: OperationView): boolean {
    return view.pathParameters.length === 0 && view.usedOncePointers.every((pointer) => isFree(view, pointer))
  }

  /** Whether no link gives the member, so that the caller chooses it. */
  function isFree(view: OperationView, pointer: string): boolean {
    const bodies = contract.links.filter(({ to }) => to === view.id).map(({ body }) => body)
    return !bodies.some((body) => valueAt(body, pointer) !== undefined)
  }

  return {
    inputOf,
    renewed: fresh,
    inputFromLink(link, exchange) {
      const view = contract.operation(link.to)
      const taken = linkValues(view, link, exchange)
      if (!taken?.isAllowed) return undefined
      const shown = view.examples.find((it) => matchesConstants(link, it)) ?? view.examples[0]
      const body =
        view.bodyPointer === undefined
          ? undefined
          : fresh(view, withPointers(shown ?? validOf(view.bodyPointer), values[view.id]))
      return withTaken({ path: {}, body }, taken)
    },
    async refreshed(view, input, identity) {
      const body = fresh(view, input.body)
      return follow(view, { ...input, body }, { identity }, 0)
    },
    withFields: (input, members) => ({ ...input, body: withPointers(input.body, members) }),
  }
}

function withPointers(body: unknown, members: Readonly<Record<string, unknown>> = {}): unknown {
  return Object.entries(members).reduce((made, [pointer, value]) => withValueAt(made, pointer, value), body)
}

/** Whether what a link says outright is what the body says: a link that pays a key is none for paying a code. */
function matchesConstants({ body }: Link, shown: unknown): boolean {
  return Object.entries(nodeOf(body)).every(
    ([name, value]) => isExpression(value) || nodeOf(shown)[name] === value,
  )
}

/** The example of the source whose values the body shows too. */
function exampleFor({ examples }: OperationView, { body }: Link, shown: unknown): number {
  const wanted = Object.entries(nodeOf(body)).filter(([, value]) => isExpression(value))
  const score = (example: unknown) =>
    wanted.filter(
      ([name]) => nodeOf(example)[name] !== undefined && nodeOf(example)[name] === nodeOf(shown)[name],
    ).length
  const scores = examples.map(score)
  return Math.max(0, scores.indexOf(Math.max(...scores)))
}

function withTaken(input: Input, { into, isAllowed: _, ...taken }: LinkValues): Input {
  const merged = (part: 'path' | 'query' | 'headers' | 'cookies') => ({ ...input[part], ...taken[part] })
  return {
    path: merged('path'),
    query: merged('query'),
    headers: merged('headers'),
    cookies: merged('cookies'),
    body: into(input.body),
  }
}

import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviourOfContract from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import facts from '@partner-payments/spec/facts.json' with { type: 'json' }
import guideDocument from '@partner-payments/spec/guide.json' with { type: 'json' }
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import {
  createValidator,
  type DeliveryMessage,
  type Finding,
  stepsOf,
  type Validator,
} from '@partner-payments/validator'
import { fieldsOf, valueAt } from './json.ts'
import { type DeclaredField, declaredField, markOf, resolved } from './marks.ts'

/** An operation of the contract, or a shorter path of the guide that means the same. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** A shorter path of the guide, which shows fewer fields. */
  readonly isAlias: boolean
  readonly scheme: 'basic' | 'bearer'
  readonly effect: 'read' | 'idempotent' | 'once'
  readonly validator: Validator
  readonly of: Validator['operations'][number]
}

export interface FoundOperation {
  readonly operation: Operation
  /** The decoded parameters of the path. */
  readonly parameters: Readonly<Record<string, string>>
}

/** What the checker knows about the contract. */
export interface Contract {
  readonly info: { readonly title: string; readonly version: string }
  /** The URL of its first server. */
  readonly server: string
  readonly behaviour: Behaviour
  readonly operations: readonly Operation[]
  /** The open questions and their assumptions. */
  readonly questions: Readonly<Record<string, { question: string; assumption: string; basis: string }>>
  /** The sections of the source document, by the id of the statement. */
  readonly sections: ReadonlyMap<string, string>
  /** Where a delivery differs from the contract. */
  deliveryDifferences(delivery: DeliveryMessage): readonly Finding[]
  /** The examples of the request body of an operation. */
  examples(operation: string): readonly unknown[]
  find(method: string, path: string): FoundOperation | undefined
  /** The field of a successful response at a pointer; undefined if the contract declares none. */
  field(operation: Operation, status: number, pointer: string): DeclaredField | undefined
}

/** A changed copy of the contract and of its declared behaviour. Default: the partner payments contract. */
export interface ContractSource {
  readonly document?: object
  readonly behaviour?: Behaviour
}

export function readContract({
  document = openapi,
  behaviour = behaviourOfContract as Behaviour,
}: ContractSource = {}): Contract {
  const own = createValidator(document)
  const guide = createValidator(withComponentsOf(document))
  const ids = new Set(own.operations.map(({ id }) => id))
  const operations = [
    ...operationsOf(own, false),
    ...operationsOf(guide, true).filter(({ id }) => ids.has(id)),
  ]
  const known = new Map<string, DeclaredField | undefined>()
  const { title, version } = fieldsOf(fieldsOf(document).info)
  return {
    info: { title: String(title), version: String(version) },
    server: serverOf(document),
    behaviour,
    operations,
    questions,
    sections: new Map(facts.map(({ id, section }) => [id, section])),
    deliveryDifferences: (delivery) => own.validateDelivery(delivery),
    examples: (id) => operations.filter((it) => it.id === id && !it.isAlias).flatMap(examplesOf),
    find(method, path) {
      for (const { findOperation } of [own, guide]) {
        const found = findOperation(method, path)
        const operation = found.found && operations.find(({ of }) => of === found.operation)
        if (found.found && operation) return { operation, parameters: found.parameters }
      }
      return undefined
    },
    field(operation, status, pointer) {
      // All items of an array are declared by one schema.
      const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0')
      const key = `${operation.of.pointer} ${status} ${place}`
      if (!known.has(key)) known.set(key, fieldOf(operation, status, place))
      return known.get(key)
    },
  }
}

/** The short paths, with the schemas of a changed copy. */
function withComponentsOf(document: object): object {
  const [ours, theirs] = [guideDocument, document].map((it) => fieldsOf(fieldsOf(it).components))
  const merged = Object.keys(ours ?? {}).map((kind) => [
    kind,
    { ...fieldsOf(ours?.[kind]), ...fieldsOf(theirs?.[kind]) },
  ])
  return { ...guideDocument, components: Object.fromEntries(merged) }
}

/** With the defaults of its variables (OpenAPI 3.1, "Server Object"). */
function serverOf(document: object): string {
  const { url = '', variables } = fieldsOf(valueAt(document, '/servers/0'))
  return String(url).replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
    String(valueAt(variables, `/${name}/default`) ?? ''),
  )
}

function operationsOf(validator: Validator, isAlias: boolean): Operation[] {
  return validator.operations.map((of) => {
    const node = fieldsOf(valueAt(validator.document, of.pointer))
    const id = String((isAlias ? node['x-alias-of'] : undefined) ?? of.id)
    const scheme = JSON.stringify(node.security ?? []).includes('basic') ? 'basic' : 'bearer'
    const effect = node['x-effect'] as Operation['effect']
    return { id, method: of.method, path: of.path, isAlias, scheme, effect, validator, of }
  })
}

function fieldOf({ validator, of }: Operation, status: number, pointer: string): DeclaredField | undefined {
  const { document } = validator
  const response = resolved(document, valueAt(document, `${of.pointer}/responses/${status}`))
  const schema = response && valueAt(response, '/content/application~1json/schema')
  return schema === undefined
    ? undefined
    : declaredField(document, schema, stepsOf(pointer), markOf(response ?? {}))
}

function examplesOf({ validator: { document }, of }: Operation): unknown[] {
  const examples = valueAt(document, `${of.pointer}/requestBody/content/application~1json/examples`)
  return Object.values(fieldsOf(examples)).map((it) => resolved(document, it)?.value)
}

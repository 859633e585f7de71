import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { ContractError } from './contract-error.ts'
import type { Cursor } from './cursor.ts'
import { formats } from './formats.ts'
import { areUnique } from './unique.ts'
import { regExpOf, type View, type Views } from './views.ts'

/** An error of ajv, and the schema that holds the broken keyword. */
export type Fault = ErrorObject<string, Readonly<Record<string, unknown>>>

/** Errors of one list after which ajv looks no further. */
const LIMIT = 1000

/** Compiles a view when it is asked for, once. */
export type Compile = (view: View, at: Cursor) => ValidateFunction

/** Compiles the views of one document. */
export function createCompile(views: Views): Compile {
  const compiled = new WeakMap<View, ValidateFunction>()
  let ajv: Ajv2020 | undefined
  return (view, at) => {
    const known = compiled.get(view)
    if (known) return known
    ajv ??= createAjv(views)
    const made = compile(ajv, view, at)
    compiled.set(view, made)
    return made
  }
}

function compile(ajv: Ajv2020, view: View, at: Cursor): ValidateFunction {
  try {
    return ajv.compile(view)
  } catch (cause) {
    throw new ContractError(at.pointer, `must be a schema: ${(cause as Error).message}`, { cause })
  }
}

/** One for all schemas, so that those that refer to each other share their code. Made once every view is there. */
function createAjv({ named }: Views): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    // JSON can say 1e400, which becomes Infinity here, and null where it is written again.
    strictNumbers: true,
    allErrors: true,
    verbose: true,
    messages: false,
    validateSchema: false,
    logger: false,
    ownProperties: true,
    formats,
    code: { regExp: Object.assign(regExp, { code: 'regExp' }), process: bounded },
  })
  // ajv compares each with each.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    validate: (asked: boolean, values: unknown[]) => !asked || areUnique(values),
  })
  for (const [name, view] of named) ajv.addSchema(view, name)
  return ajv
}

function regExp(pattern: string): RegExp {
  return regExpOf(pattern) ?? /(?!)/
}

/**
 * A long list of wrong records would keep ajv busy for minutes: it copies all errors so far with each record. So
 * errors are added to the list that is there, and a list of which so much is wrong is looked at no further. Not where
 * a list must contain something, for there an error only means that an item is not what is looked for.
 */
function bounded(code: string): string {
  const added = code.replace(
    /vErrors\.concat\(([\w.]+)\)/g,
    '($1.forEach((it) => vErrors.push(it)), vErrors)',
  )
  if (code.includes('keyword:"contains"')) return added
  return added.replace(
    /for\(let (i\d+)=(\d+); \1<(len\d+); \1\+\+\)/g,
    `for(let $1=$2, $1e=errors; $1<$3 && errors-$1e<${LIMIT}; $1++)`,
  )
}

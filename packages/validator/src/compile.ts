import { Ajv2020, type ErrorObject, type KeywordDefinition, type ValidateFunction } from 'ajv/dist/2020.js'
import type { SchemaValidateFunction } from 'ajv/dist/types/index.js'
import { ContractError } from './contract-error.ts'
import type { Cursor } from './cursor.ts'
import { formats } from './formats.ts'
import type { Node } from './json.ts'
import { regExpOf } from './keywords.ts'
import { isMultipleOf } from './multiple-of.ts'
import { type Trial, type Unevaluated, unevaluatedOf } from './unevaluated.ts'
import { areUnique } from './unique.ts'
import type { View, Views } from './views.ts'

/** An error of ajv, and the schema that holds the broken keyword. */
export type Fault = ErrorObject<string, Readonly<Record<string, unknown>>>

/** Errors of one list after which ajv looks no further. */
const LIMIT = 1000

/** Compiles a view when it is asked for, once. */
export type Compile = (view: View, at: Cursor) => ValidateFunction

/** Compiles the views of one document, all by one ajv, so that those that refer to each other share their code. */
export function createCompile(views: Views): Compile {
  const compiled = new WeakMap<View, ValidateFunction>()
  let ajv: Ajv2020 | undefined
  return compileOnce

  function compileOnce(view: View, at: Cursor): ValidateFunction {
    const known = compiled.get(view)
    if (known) return known
    const made = compile(view, at)
    compiled.set(view, made)
    return made
  }

  function compile(view: View, at: Cursor): ValidateFunction {
    ajv ??= createAjv({
      fits: (part, value) => compileOnce(part, at)(value),
      named: (name) => views.named.get(name),
    })
    try {
      for (const [name, named] of views.added.splice(0)) ajv.addSchema(named, name)
      return ajv.compile(view)
    } catch (cause) {
      throw new ContractError(at.pointer, 'schema', `must be a schema: ${(cause as Error).message}`, {
        cause,
      })
    }
  }
}

function createAjv(trial: Trial): Ajv2020 {
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
    // ajv's optimizer takes a third of the time to compile, and validation is as fast without it.
    code: { regExp: Object.assign(regExp, { code: 'regExp' }), process: bounded, optimize: false },
  })
  // What its generated code keeps of what was looked at is wrong for choices inside of choices, or undefined.
  Object.assign(ajv.opts, { unevaluated: false })
  const judged: KeywordDefinition[] = [
    // ajv compares each with each.
    {
      keyword: 'uniqueItems',
      type: 'array',
      validate: (asked: boolean, it: unknown[]) => !asked || areUnique(it),
    },
    { keyword: 'multipleOf', type: 'number', validate: (of: number, it: number) => isMultipleOf(it, of) },
  ]
  for (const definition of judged)
    ajv.removeKeyword(String(definition.keyword)).addKeyword({ ...definition, errors: false })
  return ajv.addKeyword({
    keyword: 'unevaluated',
    type: ['array', 'object'],
    validate: judgeUnevaluated(trial),
  })
}

/** Reports each property by name, and of a list that there are such items, as ajv does. */
function judgeUnevaluated(trial: Trial): SchemaValidateFunction {
  const validate: SchemaValidateFunction = (of: Unevaluated, value: Node, parentSchema = {}) => {
    const names = unevaluatedOf(of, value, trial)
    const all = Array.isArray(value) ? [{}] : names.map((name) => ({ unevaluatedProperty: name }))
    validate.errors = all.map((params) => ({ keyword: of.keyword, params, parentSchema }))
    return names.length === 0
  }
  return validate
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

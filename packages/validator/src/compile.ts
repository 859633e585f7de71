import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { ContractError } from './contract-error.ts'
import type { Cursor } from './cursor.ts'
import { formats } from './formats.ts'
import { regExpOf } from './keywords.ts'
import type { View, Views } from './views.ts'

/** An error of ajv with the schema that contains the failed keyword. */
export type AjvError = ErrorObject<string, Readonly<Record<string, unknown>>>

/** Maximum number of errors in an array before ajv stops. */
const LIMIT = 1000

/** Compiles a view on demand and caches it. */
export type Compile = (view: View, at: Cursor) => ValidateFunction

/** Compiles the views of one document with one ajv instance, so that they share the code of common references. */
export function createCompile(views: Views): Compile {
  const compiled = new WeakMap<View, ValidateFunction>()
  let ajv: Ajv2020 | undefined
  return compileOnce

  function compileOnce(view: View, at: Cursor): ValidateFunction {
    const known = compiled.get(view)
    if (known) return known
    const validate = compile(view, at)
    compiled.set(view, validate)
    return validate
  }

  function compile(view: View, at: Cursor): ValidateFunction {
    ajv ??= createAjv()
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

function createAjv(): Ajv2020 {
  return new Ajv2020({
    strict: false,
    // JSON.parse turns 1e400 into Infinity, which JSON.stringify turns into null.
    strictNumbers: true,
    allErrors: true,
    verbose: true,
    messages: false,
    validateSchema: false,
    logger: false,
    ownProperties: true,
    formats,
    // ajv's optimizer takes a third of the compile time and does not speed up validation.
    code: { regExp: Object.assign(regExp, { code: 'regExp' }), process: bounded, optimize: false },
  })
}

function regExp(pattern: string): RegExp {
  return regExpOf(pattern) ?? /(?!)/
}

/**
 * Speeds up the validation of a long array of invalid records, for which ajv would need minutes because it copies all
 * errors for each record. Appends errors to the existing array, and stops after a maximum.
 */
function bounded(code: string): string {
  return code
    .replace(/vErrors\.concat\(([\w.]+)\)/g, '($1.forEach((it) => vErrors.push(it)), vErrors)')
    .replace(
      /for\(let (i\d+)=(\d+); \1<(len\d+); \1\+\+\)/g,
      `for(let $1=$2, $1e=errors; $1<$3 && errors-$1e<${LIMIT}; $1++)`,
    )
}

/**
 * An option of a command: a row of its table. Its key in the table is its name, such as `port` for
 * `--port`. A switch that is named `no-…` is true until it is given.
 */
export interface Option {
  /** What it does, for `--help`, the action and the guides. */
  readonly help: string
  /** How help names its value, such as `url`. Left out for a switch. */
  readonly value?: string
  /** The only values that it takes. */
  readonly choices?: readonly string[]
  /**
   * Turns the text into a value. Throws an error whose message is a sentence with what the value
   * must be.
   *
   * @param earlier What it returned for the same option before, if the option is repeated.
   */
  readonly read?: (text: string, earlier?: never) => unknown
  readonly default?: string | number
  /** What holds if it is not given, where that is no value of its own. */
  readonly defaultInWords?: string
  /** The variable of the environment that has its value, if it is not given. */
  readonly variable?: string
  /** The heading that it begins in `--help`. */
  readonly group?: string
  /** Options that cannot be given with it. */
  readonly excludes?: readonly string[]
}

/** The options of a command by their names. */
export type Options = Readonly<Record<string, Option>>

/** What a command takes, from which its help, checks and types follow. */
export interface CommandTable<Table extends Options = Options> {
  /** One sentence. */
  readonly about: string
  /** What follows the name beside options. Default: nothing may. */
  readonly operands?: {
    /** Such as `[id...]`, or `<event>` for one that is required. */
    readonly usage: string
    readonly help: string
  }
  readonly options: Table
  /** Whether it takes other options too, such as those of a program that it starts. */
  readonly takesAnyOption?: true
  /** The arguments of commands that a reader can run as they stand. */
  readonly examples: readonly string[]
  /** What else a reader of the help should know. */
  readonly notes?: string
  readonly exitCodes: string
}

/**
 * The values of the options of a table, by their names in camel case. An option without a default is undefined until it
 * is given, and a switch too, unless its name begins with `no-`.
 *
 * @example
 * const options = {
 *   'request-timeout': { value: 'seconds', help: '…', read: Number, default: '30' },
 *   format: { value: 'name', help: '…', choices: ['text', 'json'] },
 *   verbose: { help: '…' },
 *   'no-color': { help: '…' },
 * } as const satisfies Options
 *
 * type Sample = Values<typeof options>
 * // {
 * //   readonly requestTimeout: number
 * //   readonly format: 'text' | 'json' | undefined
 * //   readonly verbose: boolean | undefined
 * //   readonly color: boolean
 * // }
 */
export type Values<Table extends Options> = {
  readonly [Name in keyof Table & string as ValueName<Name>]: ValueOf<Name, Table[Name]>
}

type ValueName<Name extends string> = CamelCase<Name extends `no-${infer Rest}` ? Rest : Name>

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type ValueOf<Name extends string, Row extends Option> = Name extends `no-${string}`
  ? boolean
  : Row extends { readonly default: string | number }
    ? GivenValue<Row>
    : GivenValue<Row> | undefined

/** The value of an option that was given. */
type GivenValue<Row extends Option> = Row extends { readonly read: (...args: never) => infer Value }
  ? Value
  : Row extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Row extends { readonly value: string }
      ? string
      : boolean

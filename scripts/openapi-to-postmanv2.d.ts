/** Types of what exports.ts uses; the library has none. */
declare module 'openapi-to-postmanv2' {
  interface Converted {
    readonly result: boolean
    readonly reason?: string
    readonly output?: readonly { readonly data: object }[]
  }
  export function convertV2(
    input: { readonly type: 'json'; readonly data: object },
    options: Readonly<Record<string, unknown>>,
    done: (error: Error | null, converted: Converted) => void,
  ): void
}

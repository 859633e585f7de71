/** A part of the development server, and how it takes a new build of the contract. */
export interface Part {
  readonly name: string
  reload(): unknown
}

/**
 * Reloads each part in its order. One that fails keeps what it had, and the others follow.
 *
 * @returns a line for each part that failed
 */
export async function reloadAll(parts: readonly Part[]): Promise<string[]> {
  const failures: string[] = []
  for (const part of parts) {
    try {
      await part.reload()
    } catch (error) {
      failures.push(`The ${part.name} stays as it was: ${(error as Error).message}`)
    }
  }
  return failures
}

let isAllowed = false

/**
 * Lets a command end as it would have, after the reader of its output has gone, as in `check | head`,
 * or after its terminal was closed. What it prints from then on is dropped. Without this, Node ends
 * the process with a stack trace.
 */
export function allowClosedOutput(): void {
  if (isAllowed) return

  isAllowed = true
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!isClosed(error, stream)) throw error
    })
  }
}

/** Whether an error of an output says that nobody reads it any more. */
export function isClosed(
  { code }: Pick<NodeJS.ErrnoException, 'code'>,
  { isTTY = false }: { readonly isTTY?: boolean },
): boolean {
  // A file has this error too, if its disk is broken.
  const isClosedTerminal = code === 'EIO' && isTTY
  return code === 'EPIPE' || isClosedTerminal
}

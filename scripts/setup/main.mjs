/** Runs a script. Its result is the exit code; an error is printed without its stack. */
export async function main(script) {
  try {
    process.exitCode = (await script(process.argv.slice(2))) ?? 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

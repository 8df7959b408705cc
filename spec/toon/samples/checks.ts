interface Context {
  readonly input: { readonly repo: string };
}

export async function lint({ input }: Context) {
  return { level: input.repo === '' ? ('bad' as const) : ('ok' as const), findings: [] };
}

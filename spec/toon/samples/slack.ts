export default function slack(config: { readonly channel: string }) {
  return {
    functions: {
      channel: () => config.channel,
    },
  };
}

export const notFound = {
  title: "Page not found",
  lead: "There's no page at this address, or what it showed has been removed.",
  back: "Go to your addresses",
};

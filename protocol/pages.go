package protocol

// The pages that other rooms ask for: which packets a connection's state applies goes by page.
const PageUI = pageUI

// Questions and names that most repositories have some answer to: no query is chosen for one repository.
export const QUERIES = `how are errors reported to the user
where is the configuration loaded
parse command line arguments
open a database connection and retry
how is a request routed to its handler
write a file atomically
cache invalidation and expiry
convert a value to a string
validate user input
how are tests set up
createConnection
toString
parse
default options
logging levels and output
how are plugins registered
escape special characters
compare two versions
memory limit and cleanup
read a stream line by line
event listener removal
sort by multiple columns
date and time formatting
how are types resolved
build query string from parameters
handle timeout and cancellation
serialize an object to JSON
schema migration up and down
permissions and access checks
merge two objects deeply
iterate over all children of a node
generate unique identifiers
load environment variables
transaction rollback on failure
index creation
lazy loading of relations
decorator metadata
abstract base class
deprecated options
getOrCreate`.split('\n');

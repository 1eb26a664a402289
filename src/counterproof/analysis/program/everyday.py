"""Common method names, and calls that end a path: for interpreting a call by its name alone.

Not handled here: methods of one library; its library file lists those.
"""

from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary

NO_RETURN = frozenset(names("response", "abort"))
"""Calls after which control does not continue."""

TEXT_METHODS = vocabulary("strip lstrip rstrip lower upper title capitalize swapcase casefold replace removeprefix removesuffix")
"""String methods that return a string."""

QUESTIONS = vocabulary("""
isdigit isalpha isalnum isdecimal isnumeric isidentifier islower isupper isspace istitle isascii startswith endswith find rfind
index rindex count exists is_file is_dir is_absolute is_relative_to stat has_key hexdigest digest __len__ __contains__ tell
get_absolute_url seek fileno isatty samefile bit_length is_integer issubset issuperset isdisjoint toordinal timestamp
route_path route_url current_route_path current_route_url resource_path resource_url as_sql sql_with_params
""")
"""Methods that test a value and return a boolean."""

LOOKUPS = vocabulary("""
get filter filter_by exclude get_or_404 first_or_404 one_or_none first all one scalar scalars fetchone fetchall fetchmany execute
executemany executescript query find find_one search search_s search_ext_s aggregate count exists save delete update insert commit
add add_all remove write writelines send sendall log info debug warning error critical exception login logout authenticate verify
check check_password set_password validate authorize has_permission get_user create get_or_create update_or_create put post patch
head options request fetch emit publish notify flash set_cookie delete_cookie append_entry bind close flush publish enqueue delay
findOne findById findAll findByPk findUnique findUniqueOrThrow findFirst findFirstOrThrow findMany findOneBy findOneOrFail findBy
findAndCountAll findOneAndUpdate findOneAndDelete findByIdAndUpdate findByIdAndDelete findOrCreate countDocuments where andWhere
orWhere whereIn whereNot andWhereNot orderBy returning upsert deleteOne deleteMany updateOne updateMany insertMany createMany
""")
"""Methods of external objects whose result is stored data, selected by their argument."""

EVERYDAY = (
    LOOKUPS
    | QUESTIONS
    | TEXT_METHODS
    | vocabulary("""
append extend insert pop remove clear copy keys values items setdefault update sort reverse join split rsplit splitlines format
encode decode read readline readlines open close start stop set group groups match fullmatch sub findall acquire release
put_nowait cursor commit rollback connect render json text load loads dump dumps next send throw register
route __init__ __enter__ __exit__
""")
)
"""Method names so common that a call on an unknown object says nothing about its class."""

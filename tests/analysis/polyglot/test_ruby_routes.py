"""Routes of Rails, Sinatra and Grape resolved to their actions, with filters; and other ways into Ruby programs."""

import pytest
from conftest_types import Shown

pytestmark = pytest.mark.rule("A9")

APPLICATION = """
    class ApplicationController < ActionController::Base
      before_action :authenticate
      private
      def authenticate
        redirect_to login_path unless current_user
      end
      def check_in
        if request.headers['Authorization'].present?
          head :unauthorized unless decode
        end
      end
    end
"""


def test_rails_resources_namespaces_and_filters(routes: Shown) -> None:
    found = routes(
        {
            "config/routes.rb": """
                Rails.application.routes.draw do
                  root 'pages#home'
                  resources :posts, only: [:index, :create] do
                    get :popular, on: :collection
                    member { post :like }
                    resources :comments, only: %i[destroy]
                  end
                  namespace :admin do
                    get 'stats', to: 'stats#show'
                  end
                  get 'about' => 'pages#about'
                end
            """,
            "app/controllers/application_controller.rb": APPLICATION,
            "app/controllers/pages_controller.rb": """
                class PagesController < ApplicationController
                  skip_before_action :authenticate, only: [:home]
                  def home; end
                  def about; end
                end
            """,
            "app/controllers/posts_controller.rb": """
                class PostsController < ApplicationController
                  skip_before_action :authenticate, except: :create
                  def index; end
                  def create; end
                  def popular; end
                  def like
                    head :forbidden unless current_user.admin?
                  end
                end
            """,
            "app/controllers/comments_controller.rb": """
                class CommentsController < ApplicationController
                  skip_before_action :authenticate
                  before_action :check_in
                  def destroy; end
                end
            """,
            "app/controllers/admin/stats_controller.rb": """
                module Admin
                  class StatsController < ApplicationController
                    def show; end
                  end
                end
            """,
        }
    )
    folder = "app/controllers"
    assert found == [
        f"GET / {folder}/pages_controller.rb:3 ()",
        f"GET /about {folder}/pages_controller.rb:4 (authenticate)",
        f"GET /admin/stats {folder}/admin/stats_controller.rb:3 (authenticate)",
        f"GET /posts {folder}/posts_controller.rb:3 ()",
        f"POST /posts {folder}/posts_controller.rb:4 (authenticate)",
        f"POST /posts/:id/like {folder}/posts_controller.rb:6 ()",
        f"DELETE /posts/:post_id/comments/:id {folder}/comments_controller.rb:4 (check_in)",
        f"GET /posts/popular {folder}/posts_controller.rb:5 ()",
    ]


def test_rails_route_without_an_action_is_not_served_unless_a_template_is(routes: Shown) -> None:
    found = routes(
        {
            "config/routes.rb": "Rails.application.routes.draw do\n  resource :page, only: [:show, :new, :edit]\nend\n",
            "app/controllers/pages_controller.rb": "class PagesController < ActionController::Base\n  def show; end\nend\n",
            "app/views/pages/new.html.erb": "<p>",
        }
    )
    path = "app/controllers/pages_controller.rb"
    assert found == [f"GET /page {path}:2 ()", f"GET /page/new {path}:1 ()"]


def test_rails_filter_from_a_concern_and_one_under_a_condition(routes: Shown) -> None:
    found = routes(
        {
            "config/routes.rb": """
                Rails.application.routes.draw do
                  get 'a', to: 'a#x'
                  get 'b', to: 'b#x'
                  get 'c', to: 'c#x'
                end
            """,
            "app/controllers/concerns/locked.rb": """
                module Locked
                  extend ActiveSupport::Concern
                  included { before_action :lock }
                  def lock
                    raise Forbidden unless session[:user]
                  end
                end
            """,
            "app/controllers/a_controller.rb": """
                class AController < ActionController::Base
                  include Locked
                  def x; end
                end
            """,
            "app/controllers/b_controller.rb": """
                class BController < ActionController::Base
                  before_action :authenticate_user!, if: :strict?
                  def x; end
                end
            """,
            "app/controllers/c_controller.rb": """
                class CController < ActionController::Base
                  before_action :set_thing
                  def x; end
                end
            """,
        }
    )
    assert [line.partition(" (")[2] for line in found] == ["lock)", "authenticate_user! if :strict?)", "set_thing)"]


def test_sinatra_and_grape(routes: Shown) -> None:
    found = routes(
        {
            "app.rb": """
                require 'sinatra'
                get '/' do
                  'x'
                end
            """,
            "closed.rb": """
                require 'sinatra/base'
                class Closed < Sinatra::Base
                  before { halt 401 unless session[:user] }
                  post '/things' do
                    1
                  end
                end
            """,
            "api.rb": """
                class API < Grape::API
                  prefix :api
                  version 'v1'
                  resource :items do
                    route_param :id do
                      get { 1 }
                    end
                  end
                end
            """,
        }
    )
    assert found == [
        "GET / app.rb:2 ()",
        "GET /api/v1/items/:id api.rb:6 ()",
        "POST /things closed.rb:4 (before { halt 401 unless session[:user] })",
    ]


def test_other_ways_in(others: Shown) -> None:
    found = others(
        {
            "app/workers/mail_worker.rb": "class MailWorker\n  include Sidekiq::Worker\n  def perform(id)\n  end\nend\n",
            "app/jobs/clean_job.rb": "class CleanJob < ApplicationJob\n  def perform\n  end\nend\n",
            "lib/tasks/x.rake": "namespace :x do\n  task :go => :environment do\n    1\n  end\nend\n",
        }
    )
    assert found == [
        "queue CleanJob app/jobs/clean_job.rb:2",
        "queue MailWorker app/workers/mail_worker.rb:3",
        "cli go lib/tasks/x.rake:2",
    ]
